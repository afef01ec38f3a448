// A program that keeps tasks in the same folder as Claude Code does, seen from outside: with the same package for its
// locks, writing in place, and laying back metadata as it was before the lock. Not that program itself.
const fs = require("fs");
const path = require("path");
const [, , modules, folder, name, mode] = process.argv;
const lockfile = require(path.join(modules, "proper-lockfile"));
const RETRIES = { retries: { retries: 30, minTimeout: 5, maxTimeout: 100 } };

const say = (line) => fs.writeSync(1, line + "\n");
const file = (id) => path.join(folder, `${id}.json`);
const read = (id) => JSON.parse(fs.readFileSync(file(id), "utf8"));
const pause = (ms) => new Promise((done) => setTimeout(done, ms));

function write(id, task) {
  const bytes = Buffer.from(JSON.stringify(task, null, 2));
  const handle = fs.openSync(file(id), fs.constants.O_WRONLY | fs.constants.O_CREAT, 0o666);
  fs.writeSync(handle, bytes);
  fs.ftruncateSync(handle, bytes.length);
  fs.closeSync(handle);
}

async function locked(target, act, options = {}) {
  const release = await lockfile.lock(target, { ...RETRIES, ...options });
  try {
    return await act();
  } finally {
    await release().catch(() => {});
  }
}

async function create(subject) {
  const lock = path.join(folder, ".lock");
  fs.closeSync(fs.openSync(lock, "a"));
  const id = await locked(lock, () => {
    const names = fs.readdirSync(folder).filter((it) => it.endsWith(".json"));
    const mark = fs.existsSync(path.join(folder, ".highwatermark"))
      ? parseInt(fs.readFileSync(path.join(folder, ".highwatermark"), "utf8"), 10) || 0
      : 0;
    const id = Math.max(mark, ...names.map((it) => parseInt(it, 10) || 0)) + 1;
    write(id, { id: `${id}`, subject, description: "", status: "pending", blocks: [], blockedBy: [] });
    return id;
  });
  say(`created ${id} ${subject}`);
}

async function update(id, n) {
  const first = read(id);
  await locked(file(id), () => {
    const task = read(id);
    task.activeForm = `${name} ${n}`;
    task.metadata = { ...first.metadata, [name]: n };
    write(id, task);
  });
  say(`updated ${id}`);
}

// Works until it is told to stop: half of the boards belong to others, too.
async function work(boards) {
  let going = true;
  process.stdin.on("data", () => {}).on("end", () => (going = false));
  for (let n = 0; going; n++) {
    const act = n % 40 === 39 ? create(`${name} ${process.pid} ${n}`) : update(1 + (n % boards), n);
    // A lock that is held too long or a text that is half written is an error for the one call, as in that client.
    await act.catch((error) => say(`failed ${error.code || error.name}`));
    await pause(10);
  }
  process.exit(0);
}

// Takes the lock of a task, reads it, and writes what it read when it is told to, however late that is.
async function dawdle() {
  const lines = require("readline").createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const id = line.value;
    const act = async () => {
      const task = read(id);
      say(`holding ${id}`);
      await lines.next();
      task.activeForm = `${name} late`;
      write(id, task);
      say(`wrote ${id}`);
    };
    await locked(file(id), act, { onCompromised: () => {} }).catch((error) => say(`failed ${error.code || error}`));
  }
  process.exit(0);
}

if (mode === "dawdle") dawdle();
else work(Number(mode));
