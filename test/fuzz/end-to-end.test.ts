import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bot, startBot } from "#src/bot.ts";
import { parseConfig } from "#src/config.ts";
import { minutesOf } from "#src/sandbox/clock.ts";
import { type Sandbox, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA } from "#src/sandbox/world.ts";
import { createLogger } from "#src/shared/log.ts";
import { createSecretScrubber } from "#src/shared/secret.ts";
import { connect } from "../e2e/support/stage.ts";
import { malformedAnswers, type RawAnswer } from "./malformed-answers.ts";
import { type RawServer, startRawServer } from "./raw-server.ts";
import { formsIn, secretForms } from "./secret-forms.ts";

const ANSWERS = 400;
/** Every encoding of it differs, and it can be typed into a form. */
const API_KEY = 'sk_sandbox_"7f\\c+/=%2B_91e4?';

let sandbox: Sandbox;
let wallet: RawServer;
let bot: Bot;
const lines: string[] = [];
const folder = mkdtempSync(join(tmpdir(), "balcao-fuzz-"));

beforeAll(async () => {
  wallet = await startRawServer();
  sandbox = await startSandbox({ discord: { requestsPerSecond: Infinity } });
  const databaseUrl = `sqlite:${join(folder, "balcao.db")}`;
  const env = { ...sandbox.botEnvironment(databaseUrl), WALLET_BASE_URL: wallet.baseUrl };
  bot = await startBot(
    parseConfig(env, "start", () => undefined),
    {
      clock: sandbox.clock,
      everyMinute: minutesOf(sandbox.clock),
      random: { bytes: (size) => randomBytes(size), fraction: () => 0 },
      log: createLogger("trace", createSecretScrubber(), {
        write: (line) => void lines.push(line),
      }),
      exit: (code, reason) => {
        throw new Error(`The bot left with ${code}: ${reason}`);
      },
    },
  );
  await bot.ready;
});

afterAll(async () => {
  await bot.stop();
  await sandbox.stop();
  await wallet.stop();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Excludes stalled answers, which end after a deadline of 15 real seconds; the client's own suite covers them with a
 * short deadline.
 */
const answerEchoing = (apiKey: string): RawAnswer => {
  const answers = malformedAnswers("salesReport", secretForms(apiKey));
  const [answer] = fc.sample(
    answers.filter(({ ending }) => ending !== "stall"),
    1,
  );
  if (answer === undefined) throw new Error("No answer was made");
  return answer;
};

const databaseBytes = (): string =>
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "latin1"))
    .join("");

test(`${ANSWERS} malformed answers reach people as clear text, and the key nobody`, async () => {
  const ana = sandbox.discord.person(ANA.id);
  // Each key has a quota of its own.
  const keys = Array.from({ length: ANSWERS }, (_, index) => `${API_KEY}${index}`);
  for (const apiKey of keys) {
    wallet.answerWith(answerEchoing(apiKey));
    const shown = await connect(ana, apiKey);
    expect(shown.kind).toBe("message");
    expect(JSON.stringify(shown)).not.toMatch(/undefined|\[object|Error:|ECONN|<html/i);
  }
  const sent = sandbox.discord.requests().map(({ path, body }) => path + JSON.stringify(body));
  for (const text of [sent.join("\n"), lines.join(""), databaseBytes()]) {
    expect(keys.flatMap((key) => formsIn(text, key))).toEqual([]);
  }
});
