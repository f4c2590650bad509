import type { PageMessage, PageView } from "../page-view.ts";

export type StepId =
  | "connect"
  | "sales"
  | "channel"
  | "report"
  | "withdraw"
  | "trouble"
  | "crash"
  | "alerts"
  | "consent"
  | "dispute"
  | "defence"
  | "decision";

const BY_COMMAND: Readonly<Partial<Record<string, StepId>>> = {
  "/vendas": "sales",
  "/config relatorio": "channel",
  "/saque": "withdraw",
  "/config alertas": "alerts",
  "/conta ver": "consent",
};
const BY_POST: Readonly<Partial<Record<string, StepId>>> = { vendas: "report", avisos: "dispute" };
/** A form's answer names no command. */
const CONNECTED = /^(Chave conectada|Key connected)/;

/** Steps of which this person sees since then (milliseconds) that they were taken; the others are ticked by hand. */
export const stepsSeen = (view: PageView, since: number): readonly StepId[] =>
  view.channels.flatMap(({ name, messages }) =>
    messages
      .filter(({ author, sentAt }) => author.bot && Date.parse(sentAt) > since)
      .flatMap((message) => stepOf(message, name) ?? []),
  );

const stepOf = (message: PageMessage, channel: string): StepId | undefined => {
  if (CONNECTED.test(message.embeds[0]?.title ?? "") && message.answers === null) return "connect";
  if (message.answers !== null) return BY_COMMAND[message.answers.command];
  return message.private ? undefined : BY_POST[channel];
};
