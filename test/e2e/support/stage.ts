import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { onTestFinished } from "vitest";
import { type Bot, startBot } from "#src/bot.ts";
import { parseConfig } from "#src/config.ts";
import { minutesOf, timersAheadBy } from "#src/sandbox/clock.ts";
import type { Person } from "#src/sandbox/discord/people/person.ts";
import type { ActionResult, ShownModal, StoredMessage } from "#src/sandbox/discord/state.ts";
import { type SandboxOptions, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { createLogger } from "#src/shared/log.ts";
import { createSecretScrubber } from "#src/shared/secret.ts";
import type { Timers } from "#src/wallet/timers.ts";
import { type DatabaseKind, databases } from "../../support/databases.ts";

/** A Tuesday morning in Brasília; the seeded shop has sales on the day before. */
const START = "2026-11-17T12:00:00Z";

type Settings = Readonly<Record<string, string>>;

export interface StageOptions {
  /** Settings of the bot beyond the required ones. */
  readonly settings?: Settings;
  readonly sandbox?: Omit<SandboxOptions, "start" | "recordTo">;
  /** How far the bot's clock is ahead of the sandbox's, in milliseconds. */
  readonly botAheadMs?: () => number;
}

export type Stage = Awaited<ReturnType<typeof startStage>>;

/**
 * With RECORD_DISCORD_REQUESTS, the file that collects every request for a check against Discord's OpenAPI description.
 */
export const recording = (): { readonly recordTo?: string } => {
  const file = process.env["RECORD_DISCORD_REQUESTS"];
  if (file === undefined) return {};
  mkdirSync(dirname(file), { recursive: true });
  return { recordTo: file };
};

const HASTE = 200;

/**
 * Timers at two hundred times real speed: calls of an account keep their order and spacing, and tests never wait for
 * real seconds.
 */
const hurried = ({ now, after }: Timers): Timers => ({
  now: () => now() * HASTE,
  after: (delayMs, work) => after(delayMs / HASTE, work),
});

/** The whole bot in this process, on real sockets, against the sandbox and a database of its own. */
export const startStage = async (
  kind: Pick<DatabaseKind, "name" | "create"> | undefined = databases[0],
  options: StageOptions = {},
) => {
  if (kind === undefined) throw new Error("No database to run on");
  const database = await kind.create();
  const sandbox = await startSandbox({
    ...options.sandbox,
    // Its limit of posts counts real seconds, in which days of a test pass.
    discord: { postsPerChannel: Infinity, ...options.sandbox?.discord },
    start: Temporal.Instant.from(START),
    ...recording(),
  });
  const { botAheadMs = () => 0 } = options;
  const clock = { now: () => sandbox.clock.now().add({ milliseconds: botAheadMs() }) };
  const lines: string[] = [];
  const log = createLogger("debug", createSecretScrubber(), {
    write: (line) => void lines.push(line),
  });

  const start = async (settings = options.settings): Promise<Bot> => {
    const environment = { ...sandbox.botEnvironment(database.url), ...settings };
    const config = parseConfig(environment, "start", () => undefined);
    const started = await startBot(config, {
      clock,
      everyMinute: minutesOf(clock),
      leaseClock: sandbox.clock,
      paceTimers: hurried(timersAheadBy(sandbox.clock)),
      random: { bytes: (size) => randomBytes(size), fraction: Math.random },
      log,
      say: (sentence) => lines.push(`${sentence}\n`),
      exit: (code, reason) => lines.push(`exit ${code} ${reason}\n`),
    });
    await started.ready;
    return started;
  };
  let bot = await start();
  const others: Bot[] = [];
  /** Moves the virtual clock and runs the work due then. */
  const moveTo = async (instant: string): Promise<void> => {
    sandbox.clock.moveTo(Temporal.Instant.from(instant));
    await bot.tick();
  };

  return {
    sandbox,
    databaseUrl: database.url,
    /** A further process on the same database and sandbox; `close` stops it. */
    another: async (settings: Settings): Promise<Bot> => {
      const other = await start(settings);
      others.push(other);
      return other;
    },
    bot: () => bot,
    logged: () => lines.join(""),
    restart: async (settings?: Settings): Promise<void> => {
      await bot.stop();
      bot = await start(settings);
    },
    moveTo,
    later: (minutes: number) => moveTo(sandbox.clock.now().add({ minutes }).toString()),
    connectAna: (apiKey = ANA.apiKey) => connect(sandbox.discord.person(ANA.id), apiKey),
    setReport: (options: Readonly<Record<string, string | boolean>> = {}) =>
      type(sandbox.discord.person(CARLA.id), "config relatorio", {
        canal: CHANNELS.vendas.id,
        ...options,
      }),
    close: async (): Promise<void> => {
      await Promise.all([bot, ...others].map((each) => each.stop()));
      await sandbox.stop();
      await database.drop();
    },
  };
};

/** The stage of one test, closed when it ends. */
export const openStage = async (...given: Parameters<typeof startStage>): Promise<Stage> => {
  const stage = await startStage(...given);
  onTestFinished(stage.close);
  return stage;
};

/** All that a message says, for tests about wording. */
export const textOf = (shown: ActionResult | StoredMessage): string => {
  if ("kind" in shown && shown.kind !== "message")
    throw new Error(`No message: ${JSON.stringify(shown)}`);
  const message = "kind" in shown ? shown.message : shown;
  return [
    message.content,
    ...message.embeds.flatMap((embed) => [
      embed.title,
      embed.description,
      ...(embed.fields ?? []).flatMap((field) => [field.name, field.value]),
      embed.footer?.text,
    ]),
  ]
    .filter((part) => part !== undefined && part !== "")
    .join("\n");
};

/** The message of an answer. @throws when it is none. */
export const messageOf = (shown: ActionResult): StoredMessage => {
  if (shown.kind !== "message") throw new Error(`No message: ${JSON.stringify(shown)}`);
  return shown.message;
};

/** The form of an answer. @throws when it is none. */
export const formOf = (shown: ActionResult): ShownModal => {
  if (shown.kind !== "modal") throw new Error(`No form: ${JSON.stringify(shown)}`);
  return shown.modal;
};

/** A command as a person types it, such as "conta ver". */
export const type = (
  person: Person,
  typed: string,
  options: Readonly<Record<string, string | boolean>> = {},
  channelId: string = CHANNELS.geral.id,
): Promise<ActionResult> => {
  const [name = "", subcommand] = typed.split(" ");
  return person.command({
    channelId,
    name,
    ...(subcommand !== undefined && { subcommand }),
    options,
  });
};

/** Types a key into the form of `/conta conectar`. */
export const connect = async (
  person: Person,
  apiKey: string,
  channelId?: string,
): Promise<ActionResult> => {
  const form = formOf(await type(person, "conta conectar", {}, channelId));
  return await person.submitModal(form, { api_key: apiKey });
};

/** Keeps a message as a proof, by the message's menu. */
export const keepProof = async (
  person: Person,
  { id }: StoredMessage,
  txid: string,
): Promise<ActionResult> => {
  const form = formOf(await person.messageCommand(id, "Guardar como prova"));
  return await person.submitModal(form, { txid });
};

export const buttonOf = (message: StoredMessage, label: RegExp): string => {
  for (const row of message.components) {
    if (!("components" in row)) continue;
    for (const component of row.components) {
      if ("label" in component && "custom_id" in component && label.test(component.label ?? ""))
        return component.custom_id;
    }
  }
  throw new Error(`No button ${label} in ${JSON.stringify(message.components)}`);
};

/** Recognises dispute alerts, which the seeded shop causes from the start, so that other tests can leave them out. */
export const isAlert = (message: StoredMessage): boolean =>
  JSON.stringify(message.components).includes('"meds:ver:') ||
  /^(?:Substituído|Replaced): .*\bMED\b/.test(message.content);
