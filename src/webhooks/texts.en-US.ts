import type * as pt from "./texts.pt-BR.ts";

export const webhook: typeof pt.webhook = {
  made: "Your webhook address is ready",
  madeText:
    "Copy the address above and register it as a webhook in the payment service. At each call I look at your account at once: sales, MEDs and withdrawals.",
  once: "Shown only now",
  onceText:
    "I do not keep the address. If you lose it, use `/conta webhook` again and press **Replace**, which makes another one and switches this one off. Whoever has the address can make me look earlier and, with false calls, delay a notice by up to 15 minutes: it reads nothing and moves no money.",
  on: "Webhook address on",
  onText:
    "A call to it makes me look at your account at once. The address was shown only when it was made.",
  since: "Created on",
  lastCall: "Last call",
  noCall: "None yet. Check that the address is registered in the payment service.",
  trust: "Can the calls be relied on?",
  proven:
    "Yes: they announced all that was new. So what they announce I check by myself only every 15 minutes; the rest and open MEDs, as always.",
  notProven: "I do not know yet. I keep looking by myself as always.",
  stale: "This address is no longer valid",
  staleText:
    "My database was restored from a backup, and since then I do not accept the earlier address: it might have been replaced already. Press **Replace** and register the new one. Meanwhile I look by myself as always.",
  replace: "Replace",
  remove: "Switch off",
  askReplacement: "Replace the webhook address?",
  askReplacementText:
    "From then on only the new address works, and it is shown only once. Until you register it in the payment service, I look at your account by myself, as always.",
  replaceNow: "Replace now",
  askRemoval: "Switch the webhook address off?",
  askRemovalText:
    "The same address cannot be switched on again: later you can only make another one and register it in the payment service. I keep looking at your account by myself, as always.",
  removeNow: "Switch off now",
  keep: "Keep",
  removed: "Webhook address off",
  removedText:
    "Calls to it do nothing any more. I keep looking at your account by myself, as always. To have another one: `/conta webhook`.",
};
