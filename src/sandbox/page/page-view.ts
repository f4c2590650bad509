import type { APIEmbed } from "discord-api-types/v10";
import type { Sandbox } from "../start-sandbox.ts";

/** The page as one person sees it: plain JSON, pushed completely after each change. */
export interface PageView {
  /** Another one after each start of the demo, which remembers nothing of the one before. */
  readonly runId: string;
  readonly me: PagePerson;
  readonly people: readonly PagePerson[];
  readonly botName: string;
  readonly botAvatar: string;
  /** Whether a bot is connected to the local Discord. */
  readonly botOnline: boolean;
  readonly guildName: string;
  /** Channels of the guild, then the direct channel. */
  readonly channels: readonly PageChannel[];
  readonly roles: readonly PageRole[];
  readonly commands: readonly PageCommand[];
  readonly menuCommands: readonly PageMenuCommand[];
  /** Open forms, oldest first. */
  readonly modals: readonly PageModal[];
  readonly guide: PageGuide;
  /** The sellers' accounts, read from the wallet service itself. */
  readonly wallets: readonly PageWallet[];
  readonly outages: PageOutages;
  /** Virtual time of this view; ISO 8601 in UTC. */
  readonly now: string;
}

type PageState = "on" | "starting" | "off";

/** State of the bot and of the two services. */
export interface PageOutages {
  /** Null if the page cannot switch the bot. */
  readonly bot: PageState | null;
  readonly wallet: PageState;
  readonly discord: PageState;
}

/** `past` and `too_far` leave the clock as it is. */
export type ClockOutcome = "moved" | "past" | "too_far";

export type PageLocale = "pt-BR" | "en-US";

export interface PagePerson {
  readonly id: string;
  readonly name: string;
  readonly role: "seller" | "admin";
  readonly avatar: string;
  readonly locale: PageLocale;
  /** Newest direct message of this person; a change means an unread message. */
  readonly lastDirectMessageId: string | null;
}

interface PageRole {
  readonly id: string;
  readonly name: string;
}

export interface PageChannel {
  readonly id: string;
  readonly name: string;
  readonly kind: "guild" | "direct";
  readonly topic: string;
  /** Oldest first. */
  readonly messages: readonly PageMessage[];
}

export interface PageMessage {
  readonly id: string;
  readonly author: PageAuthor;
  readonly content: string;
  readonly embeds: readonly APIEmbed[];
  /** Rows of buttons and selects. */
  readonly controls: readonly (readonly (PageButton | PageSelect)[])[];
  readonly images: readonly PageImage[];
  readonly files: readonly PageFile[];
  readonly sentAt: string;
  readonly edited: boolean;
  /** Whether only this person sees it. */
  readonly private: boolean;
  /** Whether it is a deferred answer without content so far. */
  readonly thinking: boolean;
  /** The slash command that it answers, if any. */
  readonly answers: {
    readonly command: string;
    readonly by: string;
    readonly avatar: string;
  } | null;
}

export interface PageButton {
  readonly kind: "button";
  /** Empty for a link. */
  readonly customId: string;
  readonly url: string | null;
  readonly label: string;
  readonly style: "primary" | "secondary" | "success" | "danger";
  readonly disabled: boolean;
}

export interface PageSelect {
  readonly kind: "select";
  readonly customId: string;
  readonly placeholder: string | null;
  /** Whether several values can be chosen. */
  readonly several: boolean;
  readonly disabled: boolean;
  readonly choices: readonly PageChoice[];
  readonly chosen: readonly string[];
}

interface PageAuthor {
  readonly name: string;
  readonly bot: boolean;
  readonly avatar: string;
}

interface PageImage {
  /** An embed that shows the picture has the same address. */
  readonly url: string;
  readonly name: string;
}

/** An attachment that is not a picture. */
interface PageFile extends PageImage {
  /** In bytes. */
  readonly size: number;
}

/** A command or a subcommand, in the person's language. */
export interface PageCommand {
  /** Where it is offered. A command for guild and direct channels is listed twice. */
  readonly place: PageChannel["kind"];
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

/** Data of the guide for newcomers. */
interface PageGuide {
  readonly sellers: readonly {
    readonly personId: string;
    readonly name: string;
    readonly apiKey: string;
  }[];
  readonly adminId: string;
  readonly adminName: string;
}

export interface PageWallet {
  readonly personId: string;
  readonly name: string;
  /** In reais. */
  readonly available: number;
  readonly trouble: PageTrouble;
  /** Address that the service calls at each event; empty while it calls none. */
  readonly webhook: string;
  /** Since the demo started, newest first. */
  readonly withdrawals: readonly PageWithdrawal[];
  /** Sales through the API and charges, newest first. */
  readonly payments: readonly PagePayment[];
  /** Undecided MEDs first; newest first within each group. */
  readonly meds: readonly PageMed[];
}

/** Faults that are armed for the next requests. */
export interface PageTrouble {
  /** The next money request of any account is carried out, but its answer is lost. */
  readonly loseAnswer: boolean;
  /** The next money request of any account is lost before it is carried out. */
  readonly loseRequest: boolean;
  /** The account's next withdrawal is accepted and then fails. */
  readonly fail: boolean;
  /** The account's next refund is refused. */
  readonly refuseRefund: boolean;
  /** The account's next refund is accepted and takes effect later. */
  readonly lateRefund: boolean;
}

export interface PageWithdrawal {
  readonly txid: string;
  /** Gross, in reais. */
  readonly amount: number;
  readonly turbo: boolean;
  readonly source: "api" | "split" | "dashboard";
  /** Name of the split recipient; null for a withdrawal from the account's own balance. */
  readonly recipient: string | null;
  readonly pixKey: string;
  readonly status: "scheduled" | "processing" | "completed" | "failed" | "cancelled";
  readonly requestedAt: string;
  readonly scheduledFor: string | null;
}

export interface PagePayment {
  readonly txid: string;
  /** In reais. */
  readonly amount: number;
  readonly description: string;
  readonly state: "pending" | "approved" | "refunded" | "expired";
  /** Whether it is a charge that a payer can pay. */
  readonly canPay: boolean;
}

export interface PageMed {
  readonly infractionId: string;
  /** Of the disputed payment, in reais. */
  readonly amount: number;
  /** The bank's decision; before it the seller's answer; before that whether the deadline has passed. */
  readonly state:
    | "pending"
    | "overdue"
    | "agreed"
    | "disagreed"
    | "canceled"
    | "accepted"
    | "rejected";
  readonly dueAt: string;
  readonly canAnswer: boolean;
  /** Whether the bank can decide it and the payer can cancel it. */
  readonly canDecide: boolean;
}

/** The result of an action. New messages arrive with the next view. */
export type ActOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "choices"; readonly choices: readonly PageChoice[] }
  | { readonly kind: "failed"; readonly reason: string };

export interface PageModal {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly PageModalField[];
}

export interface PageModalField {
  readonly id: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly required: boolean;
  readonly minLength: number;
  readonly maxLength: number;
  /** Of a menu; null for a text input. */
  readonly options: readonly { readonly value: string; readonly label: string }[] | null;
}

/** A command in a message's menu. */
export interface PageMenuCommand {
  readonly name: string;
  /** In the person's language. */
  readonly label: string;
}

export type PageSandbox = Pick<Sandbox, "clock" | "discord" | "wallet" | "faults">;
