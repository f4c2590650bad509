import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DatabaseAwayError, WalletError } from "#src/shared/errors.ts";
import { createLogger } from "#src/shared/log.ts";
import { createSecretScrubber, Secret } from "#src/shared/secret.ts";
import { StoreError } from "#src/shared/store-errors.ts";

const KEY = 'sk_sandbox_7"f/3+a=b\\9c';

const capture = () => {
  const lines: string[] = [];
  const scrubber = createSecretScrubber();
  scrubber.hide(KEY);
  const log = createLogger("trace", scrubber, { write: (line) => void lines.push(line) });
  return { log, text: () => lines.join("") };
};

const encodings = (value: string): readonly string[] => [
  value,
  JSON.stringify(value).slice(1, -1),
  encodeURIComponent(value),
  Buffer.from(value).toString("base64").replace(/=+$/, ""),
  Buffer.from(value).toString("hex"),
];

const leaks: Record<string, (log: ReturnType<typeof capture>["log"]) => void> = {
  "a message": (log) => log.info(`key ${KEY}`),
  "a format argument": (log) => log.info("key %s", KEY),
  "a deep object": (log) => log.info({ a: { b: { c: { apiKey: KEY } } } }, "x"),
  "an error's message": (log) => log.error({ err: new Error(KEY) }, "x"),
  "an error's own property": (log) =>
    log.error({ err: Object.assign(new Error("x"), { requestBody: KEY }) }, "x"),
  "an error's cause": (log) => log.error({ err: new Error("x", { cause: new Error(KEY) }) }, "x"),
  "a header": (log) => log.info({ headers: ["Authorization", `Bearer ${KEY}`] }, "x"),
  "an address": (log) => log.info({ url: `https://example.com/${encodeURIComponent(KEY)}` }, "x"),
  base64: (log) => log.info({ body: Buffer.from(KEY).toString("base64") }, "x"),
  hexadecimal: (log) => log.info({ body: Buffer.from(KEY).toString("hex") }, "x"),
  "a Secret": (log) => log.info({ key: new Secret(KEY) }, String(new Secret(KEY))),
};

describe("a log line", () => {
  test.each(Object.entries(leaks))("hides a registered secret in %s", (_, write) => {
    const { log, text } = capture();
    write(log);
    expect(text()).not.toBe("");
    for (const form of encodings(KEY)) expect(text()).not.toContain(form);
  });

  test("hides any registered secret wherever it stands", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8 }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          const scrubber = createSecretScrubber();
          scrubber.hide(secret);
          fc.pre(!"[secret]".includes(secret));
          expect(scrubber.scrub(`${before}${secret}${after}`).includes(secret)).toBe(false);
        },
      ),
    );
  });

  test.each([
    ["Bearer sk_sandbox_0123456789", "Bearer [secret]"],
    ["Bot MTIzNDU2.Nzg5.MDEy-zQ", "Bot [secret]"],
    ["/interactions/123456/aW50ZXJhY3Rpb24/callback", "/interactions/123456/[secret]/callback"],
    ["/webhooks/123456/aW50ZXJhY3Rpb24/messages", "/webhooks/123456/[secret]/messages"],
    ["/ganchos/aW50ZXJh_Y3Rpb24", "/ganchos/[secret]"],
    ["529.982.247-25", "[cpf]"],
    ["12.ABC.345/01DE-35", "[cnpj]"],
    ["a.b@loja.example", "[e-mail]"],
    ["+5511912345678", "[phone]"],
  ])("hides %s, which nobody registered", (given, left) => {
    const { log, text } = capture();
    log.info(`read ${given} again`);
    expect(JSON.parse(text())).toMatchObject({ msg: `read ${left} again` });
  });

  test("carries no message of a foreign error, nor of its cause", () => {
    const { log, text } = capture();
    const cause = new TypeError("words of the cause");
    log.error({ err: new RangeError("words of another", { cause }) }, "x");
    expect(JSON.parse(text())).toMatchObject({
      err: { name: "RangeError", cause: { name: "TypeError" } },
    });
    expect(text()).not.toContain("words of");
  });

  test("keeps of a wallet error what support needs", () => {
    const { log, text } = capture();
    const err = new WalletError({
      kind: "unavailable",
      method: "GET",
      route: "/v1/sales/report",
      status: 503,
      requestId: "req_1",
    });
    log.warn({ err }, "read failed");
    expect(JSON.parse(text())).toMatchObject({
      err: {
        name: "WalletError",
        kind: "unavailable",
        route: "/v1/sales/report",
        status: 503,
        requestId: "req_1",
      },
    });
  });

  test("leads from a wallet error without a request id to the line of its call", () => {
    const { log, text } = capture();
    const call = { method: "GET", route: "/v1/sales/report", reference: "nw1MikqQ" } as const;
    log.warn({ err: new WalletError({ kind: "unavailable", ...call }) }, "read failed");
    expect(JSON.parse(text())).toMatchObject({ err: { reference: "nw1MikqQ" } });
  });

  test.each([
    ["SQLITE_FULL", 13],
    ["SQLITE_BUSY", 5 | (2 << 8)],
    ["SQLITE_READONLY", 8],
    ["SQLITE_CORRUPT", 11],
  ])("tells %s by SQLite's own code, also as a cause", (code, errcode) => {
    const { log, text } = capture();
    const err = Object.assign(new Error(), { code: "ERR_SQLITE_ERROR", errcode });
    log.error({ err: new Error("x", { cause: err }) }, "x");
    log.error({ err }, "x");
    const [first, second] = text()
      .split(/(?<=\})\n/)
      .map((line) => line && JSON.parse(line).err);
    expect(first.cause).toEqual({ name: "Error", code });
    expect(second).toMatchObject({ name: "Error", code });
  });

  test("keeps of an error of the database its sentence for the operator, also as a cause", () => {
    const { log, text } = capture();
    const refused = new StoreError("database_refused", "DATABASE_URL is refused");
    const told = {
      name: "StoreError",
      kind: "database_refused",
      message: "DATABASE_URL is refused",
    };
    log.error({ err: refused }, "x");
    expect(JSON.parse(text())).toMatchObject({ err: told });
    const other = capture();
    other.log.error({ err: new DatabaseAwayError(refused) }, "x");
    expect(JSON.parse(other.text())).toMatchObject({ err: { cause: told } });
  });

  test("survives values that pino's own redaction throws on", () => {
    const { log, text } = capture();
    log.info(
      { a: Buffer.from("x"), b: new URL("https://example.com"), c: AbortSignal.abort() },
      "odd",
    );
    expect(text()).toContain("odd");
  });
});

test.each(["process.exit()", 'throw new Error("x")'])("%s loses no line of its turn", (end) => {
  const program = `
    import { createLogger } from "#src/shared/log.ts";
    import { createSecretScrubber } from "#src/shared/secret.ts";
    const log = createLogger("info", createSecretScrubber());
    for (let line = 1; line <= 500; line++) log.info({ line }, "told");
    ${end};
  `;
  const args = ["--input-type=module", "--eval", program];
  const { stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const told = stderr.split("\n").filter((line) => line.endsWith('"msg":"told"}'));
  expect(told.map((line) => JSON.parse(line).line)).toEqual(
    Array.from({ length: 500 }, (_, index) => index + 1),
  );
});

test("a full disk under the log ends nothing, and what waits for room is bounded", () => {
  const program = `
    import fs from "node:fs";
    import { setImmediate as turn } from "node:timers/promises";
    import { createLogger } from "#src/shared/log.ts";
    import { createSecretScrubber } from "#src/shared/secret.ts";
    const log = createLogger("info", createSecretScrubber());
    const { writeSync } = fs;
    fs.writeSync = () => { throw Object.assign(new Error(), { code: "ENOSPC" }); };
    log.info("first");
    await turn();
    for (let line = 1; line <= 2_000; line++) log.info("x".repeat(1_000));
    for (let line = 1; line <= 1_000; line++) log.info("x", await turn());
    fs.writeSync = writeSync;
    log.info("too much, and tries again");
    await turn();
    log.info("as before");
  `;
  const args = ["--input-type=module", "--eval", program];
  const { stderr, status } = spawnSync(process.execPath, args, { encoding: "utf8" });
  expect(status).toBe(0);
  const messages = stderr.split("\n").map((line) => line && JSON.parse(line).msg);
  expect(messages.filter((message) => !message.startsWith("x"))).toEqual([
    "first",
    "as before",
    "",
  ]);
  expect(stderr.length).toBeLessThan(300_000);
});
