import type { PageSandbox } from "./page-sandbox.ts";
import { nextWalletChange } from "./wallet-view.ts";

/** Longer waits would overflow a timer, which then fires at once. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** Tells `changed` when the wallet changes, by somebody's doing or because an instant has come. Gives back its stop. */
export const watchWallet = (sandbox: PageSandbox, changed: () => void): (() => void) => {
  let timer: NodeJS.Timeout | undefined;

  const tell = (): void => {
    changed();
    clearTimeout(timer);
    const next = nextWalletChange(sandbox);
    if (next === undefined) return;
    const waitMs = next.epochMilliseconds - sandbox.clock.now().epochMilliseconds;
    timer = setTimeout(tell, Math.min(Math.max(waitMs, 0) + 1, LONGEST_WAIT_MS));
  };

  const leave = [sandbox.wallet.onChange(tell), sandbox.clock.onMove(tell)];
  return () => {
    clearTimeout(timer);
    for (const stop of leave) stop();
  };
};
