import type {
  errorLabels as portugueseLabels,
  unexpected as portugueseUnexpected,
  userErrors as portugueseUserErrors,
  walletErrors as portugueseWalletErrors,
} from "./errors.pt-BR.ts";
import {
  busyAccount,
  busyByAnother,
  capWithoutLess,
  disputeReturned,
  earlierOfAnother,
  refundOfAnother,
  refundUndecided,
  unfinishedOfAnother,
  moneyErrors,
} from "./money-errors.en-US.ts";

export const userErrors: typeof portugueseUserErrors = {
  invalid_date: {
    title: "I did not understand that date",
    next: "Write `today`, `yesterday` or a day such as `19/11` (day first).",
  },
  future_date: {
    title: "That day has not begun",
    next: "Ask for `today` or a past day, such as `yesterday` or `19/11/2026` (day first).",
  },
  invalid_period: {
    title: "I did not understand that period",
    next: "Write it like `7 days`, `this month`, `19/11` or `01/11 to 15/11` (day first).",
  },
  period_too_long: {
    title: "That period is too long",
    next: "I show up to 31 days at a time, the earliest first: ask for a month, like `last month`, or `01/10 to 31/10` (day first).",
  },
  invalid_time: {
    title: "I did not understand that time",
    next: "Write it as `21:05` or `9:05 PM`.",
  },
  invalid_time_zone: {
    title: "I do not know that time zone",
    next: "Choose one from the list that appears while you type, such as `America/Sao_Paulo`.",
  },
  malformed_api_key: {
    title: "That does not look like an API key",
    next: "Copy the whole key, with no spaces, line breaks or invisible characters inside, and run `/conta conectar` again. Nothing was kept.",
  },
  api_key_refused: {
    title: "The service refused that key",
    next: "Check that it was copied whole and is still active in the payment service, and run `/conta conectar` again. Nothing was kept.",
  },
  api_key_of_another_account: {
    title: "This key belongs to another account",
    next: "Each person connects the key of their own account. Nothing was kept.",
  },
  key_of_other_wallet: {
    title: "This key is of another account",
    next: "I changed nothing: here the key can only be replaced by one of the same account. To use the other account in this server, run `/conta conectar`. First see, in `/conta desconectar`, what is lost with the current one.",
  },
  withdrawal_unfinished: {
    title: "A withdrawal or refund of the connected account has not ended yet",
    next: "Without this key I could not follow it to its end, so I changed nothing. See in `/saques` how it stands: wait for its end or, if it waits for your answer, answer. To delete the key all the same: `/conta desconectar`.",
  },
  too_many_keys: {
    title: "Too many keys in a short time",
    next: "Nothing was kept. While you wait, check that the key was copied whole and is still active at the payment service.",
  },
  member_is_bot: {
    title: "Bots have no key",
    next: "Choose a person in `member`.",
  },
  member_not_found: {
    title: "I did not find this person in this server",
    next: "Nothing was kept. In `member`, choose a person who is in the server. If they are, try again in a moment.",
  },
  member_has_key: {
    title: "This person has just connected a key",
    next: "Nothing changed. Run the command again, and I ask them whether they accept the change.",
  },
  member_not_connected: {
    title: "This person has no key here any more",
    next: "There is nothing to disconnect. `/config ver` shows who has one.",
  },
  key_offer_gone: {
    title: "This key change is no longer open",
    next: "It was answered, replaced, is older than 24 hours, or I can no longer read the new key. This tap did not change yours: `/conta ver` in the server shows the key that counts now, and `/conta conectar` there changes it.",
  },
  same_key_offered: {
    title: "This person already uses this key",
    next: "Nothing changed, and I did not ask them anything.",
  },
  connect_in_server: {
    title: "A key is connected in a server",
    next: "Run `/conta conectar` in the server where you sell. Here you see and disconnect the ones that you connected: `/conta ver`.",
  },
  nothing_connected: {
    title: "You have no key connected",
    next: "I keep no key of yours. To connect one, run `/conta conectar` in the server where you sell.",
  },
  several_accounts: {
    title: "Which account?",
    next: "You have connected different accounts, and here I cannot tell which one you mean. Choose the server of the account that you want to see, or run the command there.",
  },
  several_servers: {
    title: "Which server?",
    next: "You have connected your account in more than one server, and each has its own goal. Choose the server, or run the command there.",
  },
  nothing_to_disconnect: {
    title: "There is nothing to disconnect",
    next: "You have no key connected in this server. To see whether there is one in another, use `/conta ver` in our direct messages.",
  },
  not_connected: {
    title: "You have not connected your key yet",
    next: "Press the button, or run `/conta conectar`, and paste the API key into the form.",
  },
  key_unreadable: {
    title: "I can no longer read your key",
    next: "This bot lost the secret that sealed it. Press the button, or run `/conta conectar`, and paste the API key again.",
  },
  report_not_configured: {
    title: "The daily report has no channel yet",
    next: "Choose one in the menu of `/config relatorio`.",
  },
  channel_required: {
    title: "The channel is missing",
    next: "The first time, choose where the report is posted in the menu of `/config relatorio`. Nothing changed.",
  },
  alerts_not_configured: {
    title: "MED alerts have no channel yet",
    next: "Choose one in the menu of `/config alertas`. Until then they go to direct messages.",
  },
  sales_not_configured: {
    title: "Sale notices have no channel yet",
    next: "The first time, choose where they go in the menu of `/config vendas`. Nothing changed.",
  },
  minimum_unreadable: {
    title: "I did not understand that minimum",
    next: "Write it as `50`, `49.90` or `1,234.56`, or `0` to be told of all. Nothing changed.",
  },
  role_is_everyone: {
    title: "I do not ping the whole server",
    next: "In `role`, choose the role of those who handle MEDs. Nothing has changed.",
  },
  missing_channel_permissions: {
    title: "I cannot post in that channel",
    next: "Whoever manages the server gives Balcão the missing permissions, in the channel's settings. Then try again. Nothing changed.",
  },
  manage_server_required: {
    title: "This is for those who manage the server",
    next: "Ask somebody with the Manage Server permission.",
  },
  not_your_button: {
    title: "This button is somebody else's",
    next: "Run the command yourself, and the buttons will be yours.",
  },
  not_your_dispute: {
    title: "This MED is somebody else's",
    next: "Its buttons are for its seller alone. Your MEDs are in `/meds`.",
  },
  outdated_component: {
    title: "This message is out of date",
    next: "Run the command again for a current one.",
  },
  outdated_command: {
    title: "This command has changed",
    next: "Close and open Discord to see the current commands. They are listed in `/ajuda`.",
  },
  webhook_not_set_up: {
    title: "Whoever looks after the bot has not switched webhook addresses on",
    next: "`PUBLIC_URL` is missing in its settings. Nothing is lost without it: I keep looking at your account by myself, every few minutes.",
  },
  guild_only: {
    title: "This works only in a server",
    next: "Run the command in the server where you use Balcão.",
  },
  not_begun: {
    title: "I did nothing",
    next: "Discord failed just as you clicked, and without it I do not begin. No money moved: click again.",
  },
  too_many_commands: {
    title: "Too many commands in a row",
    next: "This one was not begun: no money moved, and nothing changed.",
  },
  too_many_failed_posts: {
    title: "Discord refused too many attempts",
    next: "This one I did not send. While you wait, check that I can see the channel, send messages, embed links and attach files there. If it was by direct message, check that yours are open in this server. The code of an open charge stays valid: copy and send it.",
  },
  took_too_long: {
    title: "It took longer than Discord waits",
    next: "What was begun may finish by itself. If it was a withdrawal, a refund or a charge, do not repeat it: see in `/saques` how it stands, and a charge in `/transacoes`. Anything else, run again.",
  },
  database_away: {
    title: "The database does not answer right now",
    next: "This command or click moved no money. Try again in a minute.",
  },
  lock_not_kept: {
    title: "I could not lock your withdrawals",
    next: "The database does not answer right now: count them as still unlocked. Try again in a minute; if that fails, revoke the API key in the service's dashboard.",
  },
  dispute_not_found: {
    title: "I found no such MED",
    next: "Check the dispute's code: the service's dashboard shows it. If the MED is of another account of yours, only that account's key shows it. The list is in `/meds`.",
  },
  dispute_id_unreadable: {
    title: "That does not look like the code of a MED",
    next: "Copy the dispute's code from the service's dashboard, without spaces. The list is in `/meds`. If it looks right, it has an invisible character; type it instead of pasting.",
  },
  proof_empty: {
    title: "There is nothing to keep in this message",
    next: "It has neither text nor attachments. Choose another message.",
  },
  proof_gone: {
    title: "That message no longer waits for a txid",
    next: "I hold a message without a txid for 15 minutes. Choose **Keep as evidence** on it again.",
  },
  proof_not_found: {
    title: "I could not find that evidence",
    next: "It may have been deleted. What you have is in `/provas`.",
  },
  proofs_full: {
    title: "You have kept too much evidence",
    next: "Delete what is about old sales in `/provas` and keep this one again. Nothing was kept now.",
  },
  txid_unreadable: {
    title: "That does not look like a txid",
    next: "Copy the txid from the service, without spaces, or choose a sale: `/transacoes` and the form of **Keep as evidence** show the newest ones. If it looks right, it has an invisible character; type it instead of pasting.",
  },
  transaction_not_found: {
    title: "I found no such transaction in your account",
    next: "Check the txid, or choose one from the list in `/transacoes`.",
  },
  brasilia_day_unread: {
    title: "I could not read the list of transactions",
    next: "Brasília's day is added up from it; without it, use the report's day instead.",
  },
  brasilia_day_long: {
    title: "The list of transactions is too long for this day",
    next: "I could read only a part, and the sum would be wrong: use the report's day instead.",
  },
  brasilia_day_old: {
    title: "The list of transactions does not go back to that day",
    next: "I can read the newest transactions only, and it is older than they are: use the report's day instead.",
  },
  brasilia_day_undated: {
    title: "Some sales in the list of transactions have no date",
    next: "Their day cannot be told, and the sum would be wrong: use the report's day instead.",
  },
  brasilia_day_differs: {
    title: "The list of transactions does not agree with the report",
    next: "If a sale has just come in, try again in a minute; until then, use the report's day instead.",
  },
  charge_gone: {
    title: "This charge is no longer open",
    next: "It was paid, has expired, or is another person's. If you were about to pay, ask the seller for another. To charge again: `/cobrar`.",
  },
  may_not_write_here: {
    title: "You may not write in this channel",
    next: "So I do not publish the card here. The charge is still valid: copy the code and send it to whoever pays, or use `/cobrar` in a channel where you may write.",
  },
  charge_amount_unreadable: {
    title: "I did not understand that amount",
    next: "Write what to charge as `50`, `50.00` or `1,234.56`, without a minus sign. Nothing was created.",
  },
  charge_amount_too_small: {
    title: "The smallest amount is R$\u00a00.01",
    next: "Write what to charge, one cent or more, as in `79.90`. Nothing was created.",
  },
  goal_unreadable: {
    title: "I did not understand that goal",
    next: "Write how much you want to sell in a month, such as `40,000.00` or `1,234.56`. Nothing changed.",
  },
  goal_too_small: {
    title: "The smallest goal is R$\u00a00.01",
    next: "To have no goal, tap **Remove the goal** in the answer of `/meta`. Nothing changed.",
  },
  goal_missing: {
    title: "The amount of the goal is missing",
    next: "Say how much you want to sell in a month: `/meta amount:`. Nothing changed.",
  },
  charge_description_empty: {
    title: "The description is missing",
    next: "The service requires one: write what is being sold, such as `Monthly VIP plan`. Nothing was created.",
  },
  charge_description_long: {
    title: "That description is too long",
    next: "Write what is being sold in at most 140 characters. Nothing was created.",
  },
  ...moneyErrors,
};

const later = "Try again in a few minutes.";
const support =
  "If it keeps happening, contact the service's support; if there is a support code below, give it.";

export const walletErrors: typeof portugueseWalletErrors = {
  unauthorized: {
    title: "The service refused your API key",
    next: "It may have been changed or revoked. Connect the current one with `/conta conectar` in the server where you sell.",
  },
  forbidden: { title: "The service does not allow this for your account", next: support },
  not_found: { title: "The service did not find what I asked for", next: `${later} ${support}` },
  conflict: {
    title: "The service says that this is already under way",
    next: `${later} ${support}`,
  },
  rate_limited: {
    title: "Too many requests in a short time",
    next: "Wait a minute and try again.",
  },
  invalid_request: { title: "The service did not accept the request", next: support },
  refused: { title: "The service did not grant the request", next: `${later} ${support}` },
  unavailable: { title: "The payment service is having problems", next: later },
  timeout: { title: "The payment service took too long", next: later },
  unreachable: { title: "I could not reach the payment service", next: later },
  malformed: {
    title: "The service answered something I did not understand",
    next: `${later} ${support}`,
  },
};

export const unexpected: typeof portugueseUnexpected = {
  title: "Something went wrong on my side",
  next: "Try again in a few minutes. If it keeps happening, give the reference below to whoever looks after the bot.",
};

export const errorLabels: typeof portugueseLabels = {
  permissions: {
    view_channel: "View Channel",
    send_messages: "Send Messages",
    send_messages_in_threads: "Send Messages in Threads",
    embed_links: "Embed Links",
    attach_files: "Attach Files",
    read_message_history: "Read Message History",
  },
  given: "You wrote",
  servers: "Servers",
  chooseServer: "Choose the account's server",
  missing: "Missing permissions",
  waitFor: (wait) => `Wait ${wait} and try again.`,
  ownedBy: (person) => `It is ${person}'s.`,
  tryAgainIn: (wait) => `Try again in ${wait}.`,
  nothingMoved: "It was only a lookup: no money moved and nothing was kept.",
  notDone: "The service did not do what was asked: no money moved.",
  supportCode: "Support code",
  reference: "Reference",
  busyAccount,
  busyByAnother,
  capWithoutLess,
  disputeReturned,
  earlierOfAnother,
  refundOfAnother,
  refundUndecided,
  unfinishedOfAnother,
  amount: "Amount asked for",
  minimum: "Minimum",
  available: "Available",
  dailyCap: "Your daily limit",
  capLeft: "Still left",
  triesLeft: "Tries left",
  until: "From",
  unlocksAt: "Unlocks",
  opCode: "Code",
};
