import type {
  busyAccount as portugueseBusyAccount,
  busyByAnother as portugueseBusyByAnother,
  capWithoutLess as portugueseCapWithoutLess,
  disputeReturned as portugueseDisputeReturned,
  earlierOfAnother as portugueseEarlierOfAnother,
  moneyErrors as portugueseMoneyErrors,
  refundOfAnother as portugueseRefundOfAnother,
  refundUndecided as portugueseRefundUndecided,
  unfinishedOfAnother as portugueseUnfinishedOfAnother,
  restored as portugueseRestored,
} from "./money-errors.pt-BR.ts";

/** Question to a seller after a restored backup or a long absence of the bot, before money moves again. */
export const restored: typeof portugueseRestored = {
  questions: {
    newer: {
      title: "Check these withdrawals before asking for another",
      next:
        "The bot was stopped and may not know everything: the service shows withdrawals that are not here. " +
        "See whether the one you wanted has already left: until you have checked, I send nothing. Then press the button, and the account is free for new withdrawals.",
    },
    short: {
      title: "Check the dashboard before withdrawing",
      next:
        "The bot was stopped and may not know everything, and the service's list does not go back far enough for me to compare. " +
        "See in the dashboard whether your last withdrawals are the ones you expect: until you have checked, I send nothing. Then press the button, and the account is free for new withdrawals.",
    },
    unreadable: {
      title: "I could not check your withdrawals yet",
      next:
        "The bot was stopped and may not know everything, and I could not read the service's list just now. Until I can, I send nothing. " +
        "If it stays like this for a few minutes, look at your last withdrawals in the dashboard and press the button.",
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
    "The account is free for new withdrawals. It is noted that you were the one who checked.",
};

export const busyAccount: typeof portugueseBusyAccount = {
  in_progress: {
    title: "Another request of this account still waits for its answer",
    next: "I send no other before it comes, so that nothing happens twice. I sent nothing now. Ask again in a minute; `/saques` shows how the other one stands.",
  },
  unknown: {
    title: "I can't confirm the last withdrawal yet",
    next: "Until I do, new withdrawals from this account are blocked, so that nothing goes out twice. I sent nothing now. I keep checking by myself, and `/saques` shows how it stands.",
  },
  manual: {
    title: "The last withdrawal waits for your decision",
    next: "I could not find out whether it was made. Check in the payment service and answer in `/saques`: until then, new withdrawals from this account are blocked. I sent nothing now.",
  },
};

export const busyByAnother: typeof portugueseBusyByAnother = {
  unknown: {
    title: busyAccount.unknown.title,
    next: "Another person on this account asked for it. Until I know, new withdrawals from the account are blocked, so that nothing goes out twice. I sent nothing now. I keep checking by myself: ask again later.",
  },
  manual: {
    title: "The last withdrawal waits for another person's decision",
    next: "Another person on this account asked for it, and I could not find out whether it was made. Only they can answer, in `/saques`, after checking in the payment service. Until then, new withdrawals from the account are blocked. I sent nothing now.",
  },
};

const capTitle = "That goes beyond your daily limit";

export const capWithoutLess: typeof portugueseCapWithoutLess = {
  below_minimum: {
    title: capTitle,
    next: "The limit is yours and counts the last 24 hours, and what is left of it is below the minimum of a withdrawal. `/saldo` shows when it frees up; a raise in `/seguranca` takes 24 hours. I sent nothing.",
  },
  refund: {
    title: capTitle,
    next: "The limit is yours and counts withdrawals and refunds of the last 24 hours; a refund is always the whole sale. If the sale fits under the limit, wait until what went out is 24 hours old; if not, raise the limit in `/seguranca`, which takes 24 hours. I sent nothing.",
  },
};

export const disputeReturned: typeof portugueseDisputeReturned = {
  title: "This sale cannot be refunded: the bank already returned its amount through a MED",
  next: "A refund now would pay twice. `/meds` shows how it ended. I sent nothing.",
};

export const earlierOfAnother: typeof portugueseEarlierOfAnother = {
  title: "An earlier withdrawal from this account was made",
  next: "A withdrawal that another person on this account asked for seemed not to have been made, but I have just found it in the service's list: its money went out. I did not send this one. If you still want another withdrawal, ask again.",
};

export const refundUndecided: typeof portugueseRefundUndecided = {
  title: "The refund of this sale waits for your decision",
  next: "I could not find out whether it was made. Check in the payment service and answer in `/saques`: until then I send no other, so that the sale is not paid back twice. I sent nothing now.",
};

export const refundOfAnother: typeof portugueseRefundOfAnother = {
  title: "There is a refund of this sale already",
  next: "Either another person on this account asked for it, or it ended just now. Look in the payment service's dashboard whether the sale is refunded already. I sent nothing now, so that it is not refunded twice.",
};

export const unfinishedOfAnother: typeof portugueseUnfinishedOfAnother = {
  title: "A withdrawal or refund of the connected account has not ended yet",
  next: "It was asked for by another person on this account, and without this key I could not follow it to its end: I changed nothing. Try again once it has ended. If it is a withdrawal, whoever asked for it has no key of the account any more and yours works, `/saque` in the server asks you how it ended. To delete the key all the same: `/conta desconectar`.",
};

export const moneyErrors: typeof portugueseMoneyErrors = {
  withdrawals_disabled: {
    title: "Withdrawals are switched off in this bot",
    next: "Whoever looks after the bot keeps `/saque` and cancellations off. I sent nothing, and no money moved. For now, do it directly in the payment service.",
  },
  refunds_disabled: {
    title: "Refunds are switched off in this bot",
    next: "Whoever looks after the bot keeps `/estornar` off. I sent nothing, and no money moved. For now, do it directly in the payment service.",
  },
  refund_busy: {
    title: "A refund of this sale is under way already",
    next: "I send no other before I know how it ended, so that the sale is not paid back twice. I sent nothing now. `/saques` shows how yours stands.",
  },
  payment_not_found: {
    title: "I did not find that sale in your account",
    next: "Check the txid: it has to be a sale of this key's account. I sent nothing.",
  },
  not_a_payment: {
    title: "That is a withdrawal, not a sale",
    next: "Only a sale can be refunded. To cancel a scheduled withdrawal, open it in `/saques`. I sent nothing.",
  },
  payment_refunded: {
    title: "This sale is refunded already",
    next: "Its refund was made already, and a second one would pay twice. I sent nothing.",
  },
  payment_not_approved: {
    title: "This sale cannot be refunded yet",
    next: "I refund only a sale that is paid and approved, and the service does not show this one so. I sent nothing.",
  },
  payment_disputed: {
    title: "This sale cannot be refunded: it has an open MED",
    next: "If the bank returns the amount through it, a refund would pay twice. See in `/meds` whether it still needs your answer. I sent nothing.",
  },
  disputes_unreadable: {
    title: "I could not read your MEDs now",
    next: "With an open MED about this sale a refund would pay twice, so I sent nothing. Try again in a few minutes. If I still cannot, the list of your MEDs may be too long for me: look on the service's dashboard for a MED of this sale and, if there is no such MED, refund it there.",
  },
  refund_after_restore: {
    title: "I cannot refund this sale yet",
    next: "My database was restored from a backup, and a refund of this sale may be missing in it. I sent nothing. Check the sale on the service's dashboard, and ask again after the time below.",
  },
  money_locked: {
    title: "Your withdrawals are locked",
    next: "You locked withdrawals, and no withdrawal or refund goes out until the lock opens; it does not stop you from cancelling a scheduled one. To have the lock opened, use `/seguranca`: it opens 24 hours later. I sent nothing.",
  },
  money_not_locked: {
    title: "Nothing is locked",
    next: "There is no lock to remove. To lock your withdrawals: `/travar`.",
  },
  service_down: {
    title: "The payment service is not answering",
    next: "I sent nothing, and no money moved. Try again later.",
  },
  account_busy: busyAccount.in_progress,
  left_undecided: {
    title: "The last withdrawal waits for your answer",
    next: "Whoever asked for it has no key of this account any more, and I could not find out whether it was made. Look in the payment service's statement and answer below whether the money went out: until then, new withdrawals from the account are blocked. When in doubt, wait: if it went out and you answer that it did not, a new withdrawal pays twice. I sent nothing now.",
  },
  earlier_was_made: {
    title: "The earlier withdrawal was made",
    next: "The withdrawal below seemed not to have been made, but I have just found it in the service's list: its money went out. I did not send this one. If you still want another withdrawal, ask again.",
  },
  restored_database: restored.questions.newer,
  restore_question_gone: {
    title: "That was checked already, or has changed",
    next: "`/saldo` shows whether there is still something to check. I sent nothing.",
  },
  amount_unreadable: {
    title: "I did not understand that amount",
    next: "Write it as `50`, `50.00` or `1,234.56`, or `all` for the whole balance. I sent nothing.",
  },
  amount_too_fine: {
    title: "That amount can be read in two ways",
    next: "I cannot tell thousands from cents in it. Write it as `1234.56` or `1,234.56`, with two digits for the cents. I sent nothing, and nothing changed.",
  },
  amount_too_large: {
    title: "That amount is too large",
    next: "Check the digits. I sent nothing, and nothing was created.",
  },
  amount_below_minimum: {
    title: "That amount is below the minimum",
    next: "Ask for the minimum or more. It counts before the fee, which comes out of the amount. I sent nothing.",
  },
  balance_below_minimum: {
    title: "Your balance has not reached the minimum of a withdrawal yet",
    next: "The minimum counts before the fee. Once your balance is there, ask again; `/saldo` shows what MEDs hold. I sent nothing.",
  },
  amount_above_balance: {
    title: "Your balance does not cover that amount",
    next: "Ask for less, or `all` for the whole balance; `/saldo` shows what MEDs hold. I sent nothing.",
  },
  pix_key_unusable: {
    title: "That does not work as a PIX key",
    next: "Write a CPF, a CNPJ, an e-mail address, a mobile number with its area code or a random key. I sent nothing.",
  },
  pix_key_refused: {
    title: "The service says that this PIX key is not valid",
    next: "Check the PIX key with whoever receives it and run the command again. I sent nothing.",
  },
  pix_key_gone: {
    title: "I no longer have that PIX key saved",
    next: "Run the command again and type the whole PIX key.",
  },
  recipient_is_self: {
    title: "The recipient cannot be you",
    next: "In `recipient`, choose the person with whom you share sales. For your own balance, use `/saque`. I sent nothing.",
  },
  recipient_is_bot: {
    title: "Bots receive no split",
    next: "Choose a person in `recipient`. I sent nothing.",
  },
  recipient_invalid: {
    title: "I did not recognise the recipient",
    next: "Choose the person from the list that Discord shows in `recipient`. I sent nothing.",
  },
  cap_unreadable: {
    title: "I did not understand that limit",
    next: "Write an amount such as `500` or `1,234.56`, or leave it empty for no limit. Nothing changed.",
  },
  cap_below_minimum: {
    title: "That limit would let no withdrawal out",
    next: "It is below the minimum of a withdrawal. Write the minimum or more; to stop withdrawals, use `/travar`. Nothing changed.",
  },
  daily_cap_exceeded: {
    title: capTitle,
    next: "The limit is yours and counts the last 24 hours. Ask for no more than what is left, or change the limit in `/seguranca`: a raise takes 24 hours. I sent nothing.",
  },
  split_under_cap: {
    title: "A split cannot be checked against your daily limit",
    next: "The amount of a split withdrawal is known only afterwards. With a daily limit on, I do not send blindly: to make this withdrawal, remove the limit in `/seguranca`, which takes 24 hours.",
  },
  new_key_waits: {
    title: "That PIX key still has to wait",
    next: "You asked that a new PIX key wait 24 hours before its first withdrawal. Ask again after the time below. If it was not you who asked for this withdrawal, lock withdrawals with `/travar`. I sent nothing.",
  },
  confirmation_gone: {
    title: "This confirmation is no longer valid",
    next: "It expired, was already used or was given up. This click sent nothing. If you had confirmed before, see in `/saques` how it stands before you ask again.",
  },
  clicked_too_soon: {
    title: "That click came too soon",
    next: "The question had just appeared, so I sent nothing. It still stands: check it and press again.",
  },
  pin_required: {
    title: "Your PIN is missing",
    next: "Run the command again and use the button that asks for the PIN. I sent nothing, and nothing changed.",
  },
  pin_malformed: {
    title: "That does not work as a PIN",
    next: "The PIN has 4 to 8 digits, such as `402718`. Nothing changed.",
  },
  pin_too_easy: {
    title: "That PIN is too easy",
    next: "Equal digits, or digits in a row, are what somebody tries first. Choose another one. Nothing changed.",
  },
  pin_wrong: {
    title: "The PIN is not right",
    next: "I sent nothing, and nothing changed. Try again with the same button. Forgot it? In `/seguranca` you can remove the PIN, which takes 24 hours.",
  },
  pin_locked: {
    title: "The PIN is blocked for a while",
    next: "There were too many mistakes in a row. I sent nothing, and nothing changed. Wait until the time below: each block in a row lasts longer. If it was not you who tried, lock withdrawals with `/travar`.",
  },
  pin_busy: {
    title: "I am checking other PINs now",
    next: "This one was not checked, and does not count as a mistake. This click sent nothing. Try again in a few seconds.",
  },
  withdrawal_not_found: {
    title: "I did not find that withdrawal",
    next: "Choose one from the list in `/saques`.",
  },
  not_cancellable: {
    title: "That withdrawal can no longer be cancelled",
    next: "It can be cancelled only while it is scheduled. I sent nothing, and `/saques` shows how it stands.",
  },
  not_cancellable_here: {
    title: "That withdrawal cannot be cancelled here",
    next: "The payment service does not show me this withdrawal for cancelling. I sent nothing. While it is scheduled, you can cancel it on the service's dashboard.",
  },
  cancel_busy: {
    title: "A cancellation of this withdrawal is under way already",
    next: "I send no other before I know how it ended. I sent nothing now, and `/saques` shows how the withdrawal stands. While it is scheduled, you can cancel it on the service's dashboard.",
  },
  wrong_op_code: {
    title: "The code does not match",
    next: "Type the code as the message shows it, beginning with `W-`. Nothing changed.",
  },
  outcome_unread: {
    title: "I could not check with the service just now",
    next: "Before I record that it was not made, I check with the service once more, and this time it did not answer. Nothing changed: this request still waits for your answer. Answer again in a few minutes; if it still does not answer after a day, I record your answer all the same. If you saw in the dashboard that it was made, you can answer that now.",
  },
  still_under_way: {
    title: "This withdrawal is still under way",
    next: "I have just read it: for the payment service it has not ended, and the money may still arrive. So I did not record your answer. Nothing changed: I keep checking and tell you how it ends, and other withdrawals stay possible. If the money has arrived, you can answer that; if it takes long, ask the service's support.",
  },
  money_uncertain: {
    title: "Something went wrong here halfway through",
    next: "I do not know whether the request was sent. **Do not repeat it:** look in `/saques` first. If it is there, I check by myself and tell you how it ended; if it is not, nothing was sent.",
  },
};
