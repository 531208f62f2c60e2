// Shows times in the person's own time zone; without this script they stay UTC.

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
const two = (number) => String(number).padStart(2, "0");

export function showTimes(root = document) {
  for (const time of root.querySelectorAll("time[datetime*='T']")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime()) || !time.textContent.endsWith("UTC")) continue;
    time.title = `${time.textContent}, shown in ${zone}`;
    const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join("-");
    time.textContent = `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
  }
}

showTimes();
