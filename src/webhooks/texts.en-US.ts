import type * as pt from "./texts.pt-BR.ts";

export const webhook: typeof pt.webhook = {
  made: "Your call address is ready",
  madeText:
    "Copy the address above and register it as a webhook in the payment service. At each call I look at your account at once: sales, MEDs and withdrawals.",
  once: "Shown only now",
  onceText:
    "I do not keep the address. If you lose it, press **Replace**, which makes another one and ends this one. Whoever has the address can only make me look earlier: it reads nothing and moves no money.",
  on: "Call address on",
  onText:
    "A call to it makes me look at your account at once. The address was shown only when it was made.",
  since: "Made on",
  lastCall: "Last call",
  noCall: "None yet. Check that the address is registered in the payment service.",
  trust: "Do the calls prove true?",
  proven: "Yes: they announced the latest news. So I look by myself only every 15 minutes.",
  notProven: "I do not know yet. I keep looking by myself as always.",
  stale: "This address has ended",
  staleText:
    "The database was put back from a copy, and since then I do not accept the address of before: it might have been replaced already. Press **Replace** and register the new one. Meanwhile I look by myself as always.",
  replace: "Replace",
  remove: "Switch off",
  removed: "Call address off",
  removedText:
    "Calls to it do nothing any more. I keep looking at your account by myself, as always. To have another one: `/conta webhook`.",
};
