// The files of folders: dropped ones, with the folders in them, and chosen ones.

const CLUTTER = new Set(["Thumbs.db", "desktop.ini"]);

// Returns the files that were dropped; those of folders without hidden ones.
export async function droppedFiles(transfer) {
  // What was dropped can be asked only before the first wait.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const found = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

// Returns the files of a chosen folder, without hidden ones.
export function folderFiles(input) {
  return [...input.files].filter((file) => !file.webkitRelativePath.split("/").some(isHidden));
}

async function collect(entry, found) {
  if (entry.isFile) {
    found.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
    return;
  }
  const reader = entry.createReader();
  for (;;) {
    // A part of the folder at a time, until there is none left.
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return;
    for (const one of some) if (!isHidden(one.name)) await collect(one, found);
  }
}

function isHidden(name) {
  return name.startsWith(".") || CLUTTER.has(name);
}
