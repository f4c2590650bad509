import { openMoneyStage } from "./stage.ts";
import { simulateWeek } from "./week.ts";

/** `node test/simulate/money/replay.ts SEED`: tells what happened in one seed, step by step. */
const seed = Number(process.argv[2]);
const stage = await openMoneyStage();
const { trace, violations } = await simulateWeek(stage, seed);
await stage.close();
console.log([...trace, `seed ${seed}: ${violations.length} broken`, ...violations].join("\n"));
