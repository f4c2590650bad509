import { MINUTE, SECOND } from "#src/shared/time.ts";
import type { VirtualTime } from "../virtual-time.ts";
import { type Bot, type BotWorld, startBot } from "./bot.ts";
import type { Pulse } from "./pulse.ts";

export interface ProcessNeeds extends Omit<BotWorld, "onDeath" | "onBusy"> {
  readonly time: VirtualTime;
  readonly pulse: Pulse;
  readonly processes: 1 | 2;
  readonly restartMs: () => number;
  /** One came, died or was held up. */
  readonly onChange: () => void;
  readonly note: (text: string) => void;
}

/** Starts processes that start again when they died; `bots` holds those that are alive. */
export const startProcesses = (needs: ProcessNeeds, bots: Bot[]): void => {
  const { time, pulse, note } = needs;
  const slots: (Bot | undefined)[] = [];
  let started = 0;
  // One that is held up for long makes everybody wait.
  const reach: BotWorld["reach"] = (point) => {
    const reached = needs.reach(point);
    if (reached.holdMs > SECOND) needs.onChange();
    return reached;
  };
  const refresh = (): void => {
    bots.splice(0, bots.length, ...slots.filter((bot) => bot !== undefined));
    needs.onChange();
  };
  const start = (slot: number): void => {
    if (bots.length === 0) pulse.onLife();
    const name = `p${slot}.${++started}`;
    note(`${name} starts`);
    const onDeath = (): void => {
      note(`${name} dies`);
      slots[slot] = undefined;
      refresh();
      time.after(needs.restartMs(), () => {
        start(slot);
      });
    };
    const onBusy = (): void => {
      pulse.stir(time.nowMs() + 1);
    };
    const bot = startBot({ ...needs, reach, onDeath, onBusy }, name);
    slots[slot] = bot;
    refresh();
    bot.beat();
    pulse.stir(time.nowMs() + MINUTE);
  };
  for (let slot = 0; slot < needs.processes; slot++) start(slot);
};
