import type { Sandbox } from "../start-sandbox.ts";
import type { PersonLocale } from "../world.ts";
import type { buildView } from "./build-view.ts";

/** The page as one person sees it: plain JSON, pushed completely after each change. */
export type PageView = ReturnType<typeof buildView> & {
  /** Another one after each start of the demo, which remembers nothing of the one before. */
  readonly runId: string;
};
export type PagePerson = PageView["people"][number];
export type PageChannel = PageView["channels"][number];
export type PageMessage = PageChannel["messages"][number];
type PageControl = PageMessage["controls"][number][number];
export type PageButton = Extract<PageControl, { kind: "button" }>;
export type PageSelect = Extract<PageControl, { kind: "select" }>;
export type PageModal = PageView["modals"][number];
export type PageModalField = PageModal["fields"][number];
export type PageOutages = PageView["outages"];
export type PageWallet = PageView["wallets"][number];
export type PageWithdrawal = PageWallet["withdrawals"][number];
export type PagePayment = PageWallet["payments"][number];
export type PageMed = PageWallet["meds"][number];

/** `past` and `too_far` leave the clock as it is. */
export type ClockOutcome = "moved" | "past" | "too_far";

export type PageLocale = PersonLocale;

/** A command or a subcommand, in the person's language. */
export interface PageCommand {
  /** Where it is offered. A command for guild and direct channels is listed twice. */
  readonly place: "guild" | "direct";
  readonly name: string;
  readonly subcommand: string | null;
  readonly description: string;
  readonly options: readonly PageOption[];
}

export interface PageOption {
  readonly name: string;
  /** Name in the person's language, as it is shown and typed. */
  readonly label: string;
  readonly description: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "user" | "channel" | "role";
  readonly required: boolean;
  readonly autocomplete: boolean;
  readonly choices: readonly PageChoice[];
}

export interface PageChoice {
  /** Text on the screen. */
  readonly name: string;
  readonly value: PageOptionValue;
}

export type PageOptionValue = string | number | boolean;

/** The result of an action. New messages arrive with the next view. */
export type ActOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "choices"; readonly choices: readonly PageChoice[] }
  | { readonly kind: "failed"; readonly reason: string };

export type PageSandbox = Pick<Sandbox, "clock" | "discord" | "wallet" | "faults">;
