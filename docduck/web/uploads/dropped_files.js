// The files of folders: dropped ones, with the folders in them, and chosen ones.

const CLUTTER = new Set(["Thumbs.db", "desktop.ini"]);

// Returns the files that were dropped; those of folders without hidden ones.
export async function droppedFiles(transfer) {
  // What was dropped can be asked only before the first wait.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const files = [];
  for (const entry of entries) await collect(entry, files);
  return files;
}

// Returns the files of a chosen folder, without hidden ones.
export function folderFiles(input) {
  return [...input.files].filter((file) => !file.webkitRelativePath.split("/").some(isHidden));
}

async function collect(entry, files) {
  if (entry.isFile) {
    files.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // A part of the folder at a time, until there is none left.
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const child of some) if (!isHidden(child.name)) await collect(child, files);
  }
}

function isHidden(name) {
  return name.startsWith(".") || CLUTTER.has(name);
}
