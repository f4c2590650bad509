import { HOUR, MINUTE, SECOND } from "../../shared/duration.ts";
import type { Shown, StoredMessage } from "../discord/local-discord.ts";
import type { Demo } from "../start-demo.ts";
import type { ExecutedWithdrawal } from "../wallet/wallet-levers.ts";
import { ANA, CHANNELS } from "../world.ts";
import { pass, settle } from "../pass-time.ts";
import { buttonOf, headline, mustHold, press, privateMessage } from "./story.ts";

const PIX_KEY = "ana@lojaaurora.example";
/** A new key, and a split, are confirmed twice. */
const MOST_CONFIRMATIONS = 2;
const GO_ON = "Continuar";
const SEND = "Enviar";
/** As long as a question is read: what sends is not clicked sooner. */
const READING_MS = 2 * SECOND;
/** So often an outcome is waited for; each time the clock moves on. */
const MOST_WAITS = 40;

/** Ana at money's commands, with the wallet's books open beside her. */
export interface Till {
  readonly ask: (
    command: "saque" | "split-saque",
    options: Readonly<Record<string, string>>,
  ) => Promise<StoredMessage>;
  /** The last confirmation but its click: what comes before it is clicked. */
  readonly lastConfirmation: (message: StoredMessage) => Promise<StoredMessage>;
  /** Clicks it. */
  readonly confirm: (confirmation: StoredMessage) => Promise<Shown>;
  /** All of it: asks, confirms, and gives what is shown then. */
  readonly withdraw: (
    command: "saque" | "split-saque",
    options: Readonly<Record<string, string>>,
  ) => Promise<StoredMessage>;
  /**
   * Moves the clock on by `stepMs` until the reply, or a direct message that came meanwhile, begins with `title`.
   * @throws Error when it never does
   */
  readonly until: (reply: StoredMessage, title: string, stepMs?: number) => Promise<StoredMessage>;
  /** Long enough for the next withdrawal to be allowed. */
  readonly nextDay: () => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
  /** Moves the clock to so long after the time for which the last withdrawal is planned. */
  readonly planned: (msAfter: number) => Promise<void>;
  /** What the wallet really did for Ana. */
  readonly executed: () => readonly ExecutedWithdrawal[];
}

export const openTill = (demo: Demo): Till => {
  const { clock, discord, wallet } = demo.sandbox;
  const ana = discord.person(ANA.id);

  const wait = (ms: number): Promise<void> => pass(demo, ms);
  const ask: Till["ask"] = async (name, options) =>
    privateMessage(
      await ana.command({
        channelId: CHANNELS.geral.id,
        name,
        options: { chave: PIX_KEY, ...options },
      }),
    );
  const confirm: Till["confirm"] = (message) => {
    clock.moveBy(READING_MS);
    return press(ana, message, isLast(message) ? SEND : GO_ON);
  };
  const lastConfirmation: Till["lastConfirmation"] = async (message) => {
    let shown = message;
    for (let left = MOST_CONFIRMATIONS - 1; left > 0 && !isLast(shown); left--)
      shown = privateMessage(await confirm(shown));
    mustHold(isLast(shown), `não chegou à última confirmação: ${headline(shown)}`);
    return shown;
  };
  const now = (message: StoredMessage): StoredMessage | undefined =>
    discord
      .visibleTo(ANA.id)
      .channels.flatMap(({ messages }) => messages)
      .find(({ id }) => id === message.id);

  return {
    ask,
    confirm,
    lastConfirmation,
    withdraw: async (command, options) =>
      privateMessage(await confirm(await lastConfirmation(await ask(command, options)))),
    until: async (reply, title, stepMs = MINUTE) => {
      const told = new Set(discord.directMessages(ANA.id).map(({ id }) => id));
      const seen = (): StoredMessage | undefined =>
        [now(reply), ...discord.directMessages(ANA.id).filter(({ id }) => !told.has(id))].find(
          (message) => message !== undefined && headline(message).startsWith(title),
        );
      for (let waits = 0; seen() === undefined && waits < MOST_WAITS; waits++) await wait(stepMs);
      const found = seen();
      if (found === undefined)
        throw new Error(`"${title}" não veio; a resposta diz: ${headline(now(reply) ?? reply)}`);
      return found;
    },
    nextDay: () => wait(24 * HOUR + 10 * MINUTE),
    wait,
    planned: async (msAfter) => {
      const at = wallet.executed(ANA.id).at(-1)?.scheduledFor;
      if (at === undefined) throw new Error("o último saque não tem horário previsto");
      clock.moveTo(at.add({ milliseconds: msAfter }));
      await settle(demo);
    },
    executed: () => wallet.executed(ANA.id),
  };
};

/** Whether its click sends: under the first of two another follows. */
const isLast = (message: StoredMessage): boolean => buttonOf(message, SEND) !== undefined;
