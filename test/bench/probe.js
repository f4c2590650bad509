// Loaded into each bot. In JavaScript on purpose: Node would load its type stripper for it, 15 MB that stay.

const EVERY_MS = 2;

/** Processor time of the main thread, in milliseconds: a busy machine makes blocks longer, but not this. */
const busyMs = () => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

let watching;
let begun = {};
let longest = {};

const begin = () => {
  begun = { at: performance.now(), busy: busyMs() };
};

const look = () => {
  longest = {
    blockMs: Math.max(longest.blockMs, performance.now() - begun.at - EVERY_MS),
    busyMs: Math.max(longest.busyMs, busyMs() - begun.busy),
  };
  begin();
};

// Tells the longest turn of the event loop since the message before; the first message begins to watch.
process.on("message", () => {
  if (watching !== undefined) look();
  process.send?.(longest);
  longest = { blockMs: 0, busyMs: 0 };
  begin();
  watching ??= setInterval(look, EVERY_MS).unref();
});
process.channel?.unref();

// Collects all garbage, so that memory figures compare retained objects.
process.on("SIGUSR2", () => {
  for (let i = 0; i < 3; i++) gc({ type: "major", execution: "sync", flavor: "last-resort" });
});
