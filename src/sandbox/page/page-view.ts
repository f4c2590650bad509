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
export type PageCommand = PageView["commands"][number];
export type PageOption = PageCommand["options"][number];
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
