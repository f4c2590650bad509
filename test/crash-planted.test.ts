import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PLANTED, plant } from "./crash/money/planted.ts";
import { CLOSE_MARKED_FIRST } from "./crash/planted/close-bug.ts";

const BUGS = { ...PLANTED, "close-marked-first": CLOSE_MARKED_FIRST };

test.each(Object.entries(BUGS))(
  "the bug %s, which a crash loop has to catch, still has its place",
  (_, bug) => {
    const source = readFileSync(bug.module, "utf8");
    expect(plant(bug, source)).toContain(bug.becomes);
    expect(() => plant(bug, "")).toThrow(bug.module);
  },
);

test.each(["src/scheduler/wake-timer.ts", "src/wallet/timers.ts"])(
  "the money crash loop moves the timers of %s",
  (file) => {
    const inPattern = file.replaceAll("/", "\\/").replaceAll(".", "\\.");
    expect(readFileSync("test/crash/money/ahead.ts", "utf8")).toContain(inPattern);
    expect(readFileSync(file, "utf8")).toContain("setTimeout(");
  },
);
