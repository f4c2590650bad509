import type { restored as portuguese } from "../pt-BR/restored.ts";

/** The bot came back from a copy, or was away: what a seller looks at before money moves again. */
export const restored: typeof portuguese = {
  questions: {
    newer: {
      title: "Check these withdrawals before asking for another",
      next:
        "The bot was stopped and may not know everything: the service shows withdrawals that are not here. " +
        "See whether the one you wanted has already left. I sent nothing now. Once you have checked, press the button and withdrawals are back.",
    },
    short: {
      title: "Check the dashboard before withdrawing",
      next:
        "The bot was stopped and may not know everything, and the service's list does not go back far enough for me to compare. " +
        "See in the dashboard whether your last withdrawals are the ones you expect. I sent nothing now. Once you have checked, press the button and withdrawals are back.",
    },
    unreadable: {
      title: "I could not check your withdrawals yet",
      next:
        "The bot was stopped and may not know everything, and I could not read the service's list just now. I sent nothing. " +
        "Try again in a minute. If it stays like this, look at your last withdrawals in the dashboard and press the button.",
    },
  },
  noticeTitle: "Withdrawals from this account wait for you",
  noticeAlone: "Your withdrawals wait for you: the bot was away, and the last ones need a look.",
  guardsToo:
    "The lock, PIN, limit and saved keys may also be back to what they were: see `/seguranca`.",
  listed: "At the service, and not here",
  more: (count) => `And ${count} more, in the service's dashboard.`,
  first: "Before the next withdrawal",
  checkedList: "I checked these",
  checkedPanel: "I checked the dashboard",
  done: "Checked",
  doneText:
    "Withdrawals from this account are back. It is noted that you were the one who checked.",
};
