import type { APIEmbed } from "discord-api-types/v10";
import type { Sandbox } from "../start-sandbox.ts";

/** What the page shows to one person: plain JSON, pushed whole at each change. */
export interface PageView {
  readonly me: PagePerson;
  readonly people: readonly PagePerson[];
  readonly botName: string;
  readonly botAvatar: string;
  /** False while no bot is connected to the local Discord. */
  readonly botOnline: boolean;
  readonly guildName: string;
  /** Channels of the guild, then the conversation with the bot. */
  readonly channels: readonly PageChannel[];
  readonly roles: readonly PageRole[];
  readonly commands: readonly PageCommand[];
  /** Those in the menu of a message. */
  readonly menuCommands: readonly PageMenuCommand[];
  /** Open forms, oldest first. */
  readonly modals: readonly PageModal[];
  readonly guide: PageGuide;
  /** The sellers' money, as the wallet service itself knows it. */
  readonly wallets: readonly PageWallet[];
  readonly outages: PageOutages;
  /** Virtual time when the view was made; ISO 8601 in UTC. */
  readonly now: string;
}

type PageState = "on" | "starting" | "off";

/** What is up, and what is down. */
export interface PageOutages {
  /** Null where it cannot be switched. */
  readonly bot: PageState | null;
  readonly wallet: PageState;
  readonly discord: PageState;
}

export type PageLocale = "pt-BR" | "en-US";

export interface PagePerson {
  readonly id: string;
  readonly name: string;
  readonly role: "seller" | "admin";
  readonly avatar: string;
  readonly locale: PageLocale;
  /** Last message of the bot in this person's direct messages; a change means news for them. */
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
  /** Seen by this person alone. */
  readonly private: boolean;
  /** Deferred: the text is still to come. */
  readonly thinking: boolean;
  /** The slash command that it answers, when it answers one. */
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
  /** More than one may be chosen. */
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
  readonly url: string;
  readonly name: string;
}

/** An attachment that is no picture. */
interface PageFile extends PageImage {
  /** Bytes. */
  readonly size: number;
}

/** A command, or one subcommand of it, in the person's language. */
export interface PageCommand {
  /** Whether it is offered in channels of the guild, or in the conversation with the bot; one in both is listed twice. */
  readonly place: PageChannel["kind"];
  readonly name: string;
  readonly subcommand: string | null;
  readonly description: string;
  readonly options: readonly PageOption[];
}

export interface PageOption {
  readonly name: string;
  readonly description: string;
  readonly type: "string" | "integer" | "number" | "boolean" | "user" | "channel" | "role";
  readonly required: boolean;
  readonly autocomplete: boolean;
  readonly choices: readonly PageChoice[];
}

export interface PageChoice {
  /** What the person reads. */
  readonly name: string;
  readonly value: PageOptionValue;
}

export type PageOptionValue = string | number | boolean;

/** What the newcomer's panel needs to know. */
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
  /** Since the demo started, newest first. */
  readonly withdrawals: readonly PageWithdrawal[];
  /** Those that can still change before the rest, each group newest first. */
  readonly meds: readonly PageMed[];
}

/** What is set to go wrong next. */
export interface PageTrouble {
  /** Done, but its answer is lost. Of any account. */
  readonly loseAnswer: boolean;
  /** Lost before anything is done. Of any account. */
  readonly loseRequest: boolean;
  /** Accepted, and failed in the end. */
  readonly fail: boolean;
}

export interface PageWithdrawal {
  readonly txid: string;
  /** Gross, in reais. */
  readonly amount: number;
  readonly turbo: boolean;
  readonly source: "api" | "split" | "dashboard";
  /** Name of whose split balance went. */
  readonly recipient: string | null;
  readonly pixKey: string;
  readonly status: "scheduled" | "processing" | "completed" | "failed" | "cancelled";
  readonly requestedAt: string;
  readonly scheduledFor: string | null;
}

export interface PageMed {
  readonly infractionId: string;
  /** Of the contested payment, in reais. */
  readonly amount: number;
  /** The bank's decision once there is one, else the seller's answer, else how the deadline stands. */
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
  /** By the bank; as long as that, its payer may cancel it. */
  readonly canDecide: boolean;
}

/** How an act of the person ended. The messages themselves arrive with the next view. */
export type ActOutcome =
  | { readonly kind: "done" }
  | { readonly kind: "choices"; readonly choices: readonly PageChoice[] }
  | { readonly kind: "failed"; readonly reason: string };

/** A form that the bot asks the person to fill in. */
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
  readonly multiline: boolean;
  readonly required: boolean;
  readonly minLength: number;
  readonly maxLength: number;
}

/** A command that the menu of a message offers. */
export interface PageMenuCommand {
  readonly name: string;
  /** In the person's language. */
  readonly label: string;
}

/** What the page needs of the sandbox. */
export type PageSandbox = Pick<Sandbox, "clock" | "discord" | "wallet" | "faults">;
