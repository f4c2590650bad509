import type { guards as portuguese } from "./texts.pt-BR.ts";

const keepCap = "To leave it as it is: **Change limit**, with the present amount.";

/** `/travar`, `/seguranca`, and notices of external withdrawals. */
export const guards: typeof portuguese = {
  locked: "Withdrawals locked",
  lockedText:
    "No withdrawal, split or refund of yours leaves from here, in any server. What was already sent goes on, and the lock does not stop you from cancelling a scheduled withdrawal.\n\n" +
    "The lock works for you alone, in this bot: whoever has your API key or the service's password can still withdraw elsewhere, and another person who connected the same account can still withdraw from here. If you suspect somebody, change the key and the password there.",
  lockedSince: "Since",
  unlocking: "To unlock",
  unlockRule:
    "Press the button: the lock opens 24 hours later, and I tell you now by direct message.",
  unlockAt: (at) => `You asked: it opens from ${at}.`,
  lockAgain: "Using `/travar` again takes that back.",
  stayLocked: "Stay locked",
  open: "Withdrawals allowed",
  openText: "There is no lock. To lock: `/travar`.",

  title: "Security of your money",
  panelText:
    "This applies to you in every server. Making it stricter takes effect at once; relaxing it takes 24 hours (removing the PIN with the PIN is at once), and I tell you by direct message when somebody does or asks for that, or sets a PIN.",
  lock: "Withdrawals",
  lockOff: "Allowed.",
  lockOn: (since) => `Locked since ${since}.`,
  pin: "PIN code",
  pinOff:
    "None. With one, withdrawals, refunds and cancellations ask for 4 to 8 digits that only you know.",
  pinOn: "On: withdrawals, refunds and cancellations ask for it.",
  pinLocked: (until) => `Blocked after wrong tries until ${until}.`,
  pinEnds: (at) =>
    `You asked to remove it: it is removed on ${at}. To remove it at once, keep it first, then remove it with the PIN.`,
  cap: "Daily limit",
  capOff: "No limit.",
  capOn: (cap) =>
    `${cap} in any 24 hours, withdrawals and refunds together. While there is a limit, no \`/split-saque\` is sent.`,
  capFrom: (cap, at) => `Becomes ${cap} from ${at}. ${keepCap}`,
  capEnds: (at) => `No limit from ${at}. ${keepCap}`,
  wait: "A new PIX key waits 24 hours",
  waitOff: "Off: a new PIX key receives at once, after two confirmations.",
  waitOn: "On: a PIX key never used before waits 24 hours.",
  waitEnds: (at) => `You asked to end it: it ends on ${at}.`,
  savedKeys: "Saved PIX keys",
  noKeys: "None. After a withdrawal, a button offers to save the key.",
  moreKeys: (count) => `And ${count} more, in the menu.`,
  moreKeysThanMenu: (count) =>
    `And ${count} more. The menu has the 25 that you used last: when you forget one, the next comes in.`,
  nthKey: (index) => `Key ${index} of the list`,
  forgetPlaceholder: "Forget a saved PIX key",

  createPin: "Create PIN",
  changePin: "Change PIN",
  removePin: "Remove PIN",
  keepPin: "Keep the PIN",
  setCap: "Change limit",
  waitSwitchOn: "Make new keys wait",
  waitKeepOn: "Keep the wait",
  waitSwitchOff: "End the wait",
  lockNow: "Lock withdrawals",
  askUnlock: "Ask to unlock",

  createPinTitle: "Create a PIN",
  changePinTitle: "Change the PIN",
  newPin: "New PIN, 4 to 8 digits",
  newPinHint: "Choose one that you use nowhere else",
  currentPin: "Current PIN",
  removePinTitle: "Remove the PIN",
  removePinLabel: "Current PIN (empty: I forgot it)",
  removePinHint: "With it, at once. Without it, 24 hours later",
  capTitle: "Limit of withdrawals and refunds in 24 hours",
  capLabel: "Amount (empty: no limit)",
  capHint:
    "Such as 500 or 1,234.56. Lower: at once. Higher: 24 h later. With a limit, no /split-saque",

  ghost: "There is a withdrawal that was not asked for here",
  ghostText:
    "Your account at the service has a withdrawal that this bot did not make. If it was you, through the dashboard or another program, there is nothing to do.\n\n" +
    "**If it was not you, now:**\n" +
    "1. At the payment service, revoke the API key and change the password.\n" +
    "2. If you have not locked yet, press **Lock withdrawals** below, or run `/travar`: it stops your withdrawals through this bot.\n" +
    "3. Talk to the service's support and give them the transaction id.",
  ghostScheduled:
    "**It is still scheduled**, so it can be cancelled. Open it in `/saques` and press **Cancel withdrawal**.",
  ghostScheduledElsewhere:
    "**It is still scheduled:** it cannot be cancelled from here, so ask the service's support to cancel it.",
  ghostAlone: (amount) =>
    `There is a withdrawal${amount === undefined ? "" : ` of ${amount}`} that was not requested here. If it was not you, open this message now.`,
  declared: {
    title: "A withdrawal that seemed not to have been made has turned up",
    text: (code) =>
      `The answer about withdrawal ${code} was that it was not made, but now the service shows one just like it, requested at the same time. **Most likely it is that one, and its money went out.**`,
    alone: (code) =>
      `Withdrawal ${code}, which by the answer was not made, has turned up at the service. Open this message before you ask for another.`,
    next: "If another was asked for in its place, both may have gone out: check in the dashboard before you ask for one more. If one of them was neither you nor another person on this account, revoke the API key, change the password at the service and press **Lock withdrawals**.",
  },
  ghostUnknown: "I could not read it",
  ghostAccount: "Account",
  ghostAccountOf: (key) => `that of the API key ${key}`,
  newKey: "PIX key",
  validFrom: "Takes effect on",
  pinLockedUntil: "Blocked until",
  changes: {
    locked: {
      title: "You locked withdrawals",
      text: "No withdrawal or refund of yours leaves through this bot, in any server; the lock does not stop you from cancelling a scheduled one. To unlock, ask in `/seguranca`: the lock opens 24 hours later.",
    },
    unlock_asked: {
      title: "Somebody asked to unlock withdrawals",
      text: "Once the time below has come, withdrawals and refunds leave through this bot again.",
    },
    pin_set: {
      title: "A new PIN was set",
      text: "From now on, withdrawals, refunds and cancellations ask for this PIN. If you do not know it, remove it in `/seguranca`, **Remove PIN**, with the field empty: it is removed 24 hours later.",
    },
    pin_removed: {
      title: "Your PIN was removed",
      text: "Whoever removed it knew the PIN, so it took effect at once: withdrawals, refunds and cancellations no longer ask for a PIN. To create another: `/seguranca`.",
    },
    pin_removal_asked: {
      title: "Somebody asked to remove the PIN",
      text: "Once the time below has come, withdrawals, refunds and cancellations no longer ask for the PIN. To keep it: **Keep the PIN**, in `/seguranca`.",
    },
    cap_raise_asked: {
      title: "Somebody asked for a higher daily limit",
      text: "Once the time below has come, the new limit applies. `/seguranca` shows it.",
    },
    cap_end_asked: {
      title: "Somebody asked to remove the daily limit",
      text: "Once the time below has come, withdrawals and refunds leave through this bot without a daily limit.",
    },
    wait_end_asked: {
      title: "Somebody asked to end the wait for new keys",
      text: "Once the time below has come, a PIX key never used before receives at once.",
    },
    new_key: {
      title: "A new PIX key will be able to receive",
      text: "Somebody asked, with your Discord account, for a withdrawal to the PIX key below, never used here before. It waits, and nothing has left.",
    },
    pin_locked: {
      title: "Your PIN was blocked",
      text: "The PIN was wrong 5 times in a row with your Discord account. Nothing left in these tries, and until the time below no PIN is accepted. Each block in a row lasts longer, up to 24 hours; the right PIN starts the count anew.",
    },
    restored: {
      title: "Balcão's data was restored from a backup",
      text: "The lock, PIN, limit, wait for new keys and saved keys may be back to what they were. See in `/seguranca` whether they are as you want them.",
    },
  },
  alone: (title, isLocked) =>
    `${title}. If it was not you, ${isLocked ? "keep the lock" : "lock withdrawals"}.`,
  notYou: (isLocked) =>
    `**If it was not you**, ${isLocked ? "keep the lock" : "lock withdrawals"} below and protect your Discord account: change its password and sign out of other devices.`,
};
