import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import type { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Fault } from "#src/sandbox/faults.ts";
import { openSqliteFile } from "#src/database/sqlite.ts";
import { type BotProcess, startBotProcess } from "#src/sandbox/start-bot-process.ts";
import { startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { MINUTE } from "#src/shared/time.ts";
import { arrangeReportChannel, chooseDestination, connect } from "./arrangements.ts";
import type { UnsentClose } from "./close-verdict.ts";
import { lookWhileTimePasses } from "./look-while-time-passes.ts";

/**
 * A Saturday at noon in Brasília: the first report is due nine hours later, the close of the week on Monday, and that of
 * the month on Tuesday.
 */
export const START = Temporal.Instant.from("2026-11-28T15:00:00Z");
export const FIRST_DAY = Temporal.PlainDate.from("2026-11-28");
/** In these the background reads the days of the first closes. */
const READING_MINUTES = 10;
const LOOKED_EVERY_MS = 5;
/** How long the local Discord remembers nonces, in virtual time. */
const NONCE_WINDOW_MS = 5 * 60_000;

/** Has the own report by direct message; all others are in the channel's. */
const DIRECT_SELLER = "1180000000000000213";
const MORE_SELLERS = ["1180000000000000211", "1180000000000000212", DIRECT_SELLER];

/** Faults in a third of the answers, before or after the effect. */
const FAULTS: readonly Fault[] = (["before", "after"] as const).flatMap((at): Fault[] => [
  { kind: "status", status: 500, at },
  { kind: "reset", at },
  { kind: "hang", ms: 20_000, at },
]);

export type CrashStage = Awaited<ReturnType<typeof openCrashStage>>;

/** Requests that read, post and search for reports. */
const WORK = /\/messages|\/v1\/sales/;
export const POST = /^POST .*\/messages$/;

const readIn = <Result>(file: string, read: (database: DatabaseSync) => Result): Result => {
  const database = openSqliteFile(file, { readOnly: true });
  try {
    return read(database);
  } finally {
    database.close();
  }
};

const claimsIn = (file: string): readonly string[] =>
  readIn(file, (database) =>
    database
      .prepare("select dedupe_key || ' ' || token as claim from outbox where state = 'sending'")
      .all()
      .map(({ claim }) => String(claim)),
  );

const closeMarksIn = (file: string): string =>
  readIn(file, (database) =>
    JSON.stringify(
      database.prepare("select kind, last_day from close_progress order by kind").all(),
    ),
  );

const unsentClosesIn = (file: string, target: "channel" | "person"): readonly UnsentClose[] =>
  readIn(file, (database) =>
    database
      .prepare(
        "select dedupe_key, state, created_at, settled_at from outbox" +
          " where kind = 'close' and target_kind = ? and state <> 'sent' and settled_at is not null",
      )
      .all(target)
      .map((row) => ({
        period: String(row["dedupe_key"]).split("|").at(-1) ?? "",
        state: String(row["state"]),
        enqueuedAt: Temporal.Instant.from(String(row["created_at"])),
        settledAt: Temporal.Instant.from(String(row["settled_at"])),
      })),
  );

/**
 * Marks the bot as alive until now. After a silence it searches for every post first, which would hide a planted bug.
 */
const forgetSilence = (file: string, now: Temporal.Instant): void => {
  if (!existsSync(file)) return;
  const database = openSqliteFile(file);
  try {
    database.exec("delete from database_restore");
    const alive = now.toString({ smallestUnit: "millisecond" });
    database.prepare("update storage_state set alive_at = ?").run(alive);
  } finally {
    database.close();
  }
};

/** A guild of sellers who agreed to the report; the bot is not running yet. `entry` starts the bot's process. */
export const openCrashStage = async (entry: string | undefined) => {
  const folder = mkdtempSync(join(tmpdir(), "balcao-crash-"));
  const sandbox = await startSandbox({
    start: START,
    discord: { postsPerChannel: Infinity, nonceWindowMs: NONCE_WINDOW_MS },
  });
  const file = join(folder, "balcao.db");
  const startBot = (): Promise<BotProcess> => {
    if (entry !== undefined) forgetSilence(file, sandbox.clock.now());
    return startBotProcess({
      sandbox,
      databaseUrl: `sqlite:${file}`,
      env: { LOG_LEVEL: "silent" },
      ...(entry !== undefined && { entry }),
    });
  };

  const keys = new Map<string, string>([
    [ANA.id, ANA.apiKey],
    [BRUNO.id, BRUNO.apiKey],
  ]);
  for (const [index, userId] of MORE_SELLERS.entries()) {
    const apiKey = `sk_sandbox_crash_${index}_00000000`;
    sandbox.wallet.open({ userId, apiKey });
    sandbox.discord.addPerson({
      id: userId,
      username: `vende${index}`,
      displayName: `Vende ${index}`,
      manageGuild: false,
    });
    keys.set(userId, apiKey);
  }

  const waiting = new Set<(route: string) => void>();
  const noteWork = (route: string): boolean => {
    const isWork = WORK.test(route);
    if (isWork) for (const note of waiting) note(route);
    return isWork;
  };

  const bot = await startBot();
  await bot.ready;
  await arrangeReportChannel(sandbox.discord.person(CARLA.id));
  for (const [userId, apiKey] of keys) await connect(sandbox.discord.person(userId), apiKey, true);
  await chooseDestination(sandbox.discord.person(DIRECT_SELLER), "relatorio", "direct");
  for (let each = 0; each < READING_MINUTES; each++) {
    sandbox.clock.moveBy(MINUTE);
    await lookWhileTimePasses(sandbox, [bot]);
  }
  await bot.stop();

  return {
    sandbox,
    sellers: [...keys.keys()],
    startBot,
    breakThings: (seed: number) =>
      sandbox.faults.setPlan({
        seed,
        share: 1 / 3,
        faults: FAULTS,
        appliesTo: noteWork,
      }),
    mendThings: () => sandbox.faults.setPlan(undefined),
    /** Resolves when the bot has made that many more requests for reports, or of this kind only. */
    workBegun: (requests: number, kind = WORK) =>
      new Promise<void>((resolve) => {
        let left = requests;
        const note = (route: string): void => {
          if (!kind.test(route) || --left > 0) return;
          waiting.delete(note);
          resolve();
        };
        waiting.add(note);
      }),
    /** Deliveries in progress when the process died, each with its claim. */
    underWay: () => claimsIn(file),
    posts: () => sandbox.discord.messages(CHANNELS.vendas.id),
    /** Direct messages to the sellers who have their reports there. */
    directReports: () => new Map([[DIRECT_SELLER, sandbox.discord.directMessages(DIRECT_SELLER)]]),
    /** Messages, among them closes, and unsent closes: of the server, and of the seller with direct reports. */
    closings: () => [
      {
        posts: sandbox.discord.messages(CHANNELS.vendas.id),
        unsent: unsentClosesIn(file, "channel"),
      },
      {
        posts: sandbox.discord.directMessages(DIRECT_SELLER),
        unsent: unsentClosesIn(file, "person"),
      },
    ],
    /** Resolves when the bot marks a week or month as done, or when `end` resolves. */
    closeMarked: async (end: Promise<unknown>): Promise<void> => {
      const before = closeMarksIn(file);
      let isOver = false;
      void end.finally(() => {
        isOver = true;
      });
      while (closeMarksIn(file) === before) {
        if (isOver) return;
        await pause(LOOKED_EVERY_MS);
      }
    },
    close: async (): Promise<void> => {
      await sandbox.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
