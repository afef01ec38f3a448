// Another program that shares the list: counts in the metadata of tasks, under the locks of proper-lockfile. It replaces
// files whole: the clients read without a lock, and what they find torn would be its fault and not ours. It ends
// when its input ends, and says how often it counted and how often it could not.
const fs = require("node:fs");
const path = require("node:path");
const lockfile = require("proper-lockfile");

const [folder, ...ids] = process.argv.slice(2);
const counts = Object.fromEntries(ids.map((id) => [id, 0]));
let failed = 0;
let over = false;
process.stdin.on("end", () => { over = true; }).resume();

async function count(id) {
  const file = path.join(folder, `${id}.json`);
  const unlock = await lockfile.lock(file, { retries: { retries: 30, minTimeout: 5, maxTimeout: 100 } });
  try {
    const task = JSON.parse(fs.readFileSync(file, "utf8"));
    task.metadata = { ...task.metadata, theirs: counts[id] + 1 };
    const whole = path.join(folder, "..", `${id}.whole`);
    fs.writeFileSync(whole, JSON.stringify(task, null, 2));
    fs.renameSync(whole, file);
    counts[id] += 1;
  } finally {
    await unlock();
  }
}

(async () => {
  for (let n = 0; !over; n += 1) {
    await count(ids[n % ids.length]).catch(() => { failed += 1; });
    // The end of the input is an event like any other.
    await new Promise(setImmediate);
  }
  console.log(JSON.stringify({ counts, failed }));
})();
