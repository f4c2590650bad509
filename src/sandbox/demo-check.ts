import { MINUTE } from "../shared/time.ts";
import { checkAlerts } from "./check/alerts.ts";
import { checkDisputes, checkOnce } from "./check/disputes.ts";
import {
  checkUnknownOutcomes,
  checkGuardedClicks,
  checkExecutedWithdrawals,
  checkWithdrawals,
} from "./check/withdrawals.ts";
import { checkReports } from "./check/reports.ts";
import { done, mustHold } from "./check/story.ts";
import { type Demo, startDemo } from "./start-demo.ts";

/** Reached only by a check that hangs. */
const TIME_LIMIT_MS = 5 * MINUTE;

/**
 * Plays the demo's whole story once, without a person at the keyboard, and prints each step.
 * @returns the exit code: 0 when every step held.
 */
export const checkDemo = async (): Promise<number> => {
  let demo: Demo | undefined;
  const timer = setTimeout(() => {
    console.error("✗ Passou de cinco minutos");
    // The bot ends with its parent.
    process.exit(1);
  }, TIME_LIMIT_MS);
  try {
    // Posts to one channel are limited in real time, and days pass here within seconds.
    demo = await startDemo(0, { discord: { postsPerChannel: Infinity } });
    done("Discord local, carteira local e bot no ar");
    await pageAnswers(demo);
    await checkReports(demo);
    await checkDisputes(demo);
    await checkAlerts(demo);
    await checkWithdrawals(demo);
    await checkUnknownOutcomes(demo);
    await checkGuardedClicks(demo);
    await checkExecutedWithdrawals(demo);
    checkOnce(demo);
    await demo.stop();
    done("Tudo encerrado, nada ficou para trás");
    return 0;
  } catch (error) {
    console.error(`✗ ${error instanceof Error ? error.message : String(error)}`);
    await demo?.stop();
    return 1;
  } finally {
    clearTimeout(timer);
  }
};

const pageAnswers = async ({ page }: Demo): Promise<void> => {
  const { status } = await fetch(page.url);
  mustHold(status === 200, `a página respondeu ${status}`);
  done(`A página responde em ${page.url}`);
};
