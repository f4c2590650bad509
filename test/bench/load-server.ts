import { performance } from "node:perf_hooks";
import { startBenchGateway } from "./bench-gateway.ts";
import { startBenchRest } from "./bench-rest.ts";
import type { BotName } from "./bench-world.ts";
import type { FirstAck, FromLoad, LoadAnswers, LoadOrder, NumberedOrder } from "./load-messages.ts";
import { createLoad } from "./load.ts";

/** Entry of the load server's process: Discord, the wallet and the users, for both bots. */
const gateway = await startBenchGateway();
const load = createLoad(gateway);
const rest = await startBenchRest({
  gatewayUrl: gateway.url,
  onCallback: load.acknowledged,
  onEdit: load.finished,
});
const POLL_MS = 200;

const firstAck = async (bot: BotName, user: number): Promise<FirstAck> => {
  await gateway.identified(bot);
  const acknowledged = load.nextAck();
  load.send(bot, user);
  const again = setInterval(() => load.send(bot, user), POLL_MS);
  const at = await acknowledged;
  clearInterval(again);
  return { at: performance.timeOrigin + at };
};

type CarryOut = {
  readonly [Kind in LoadOrder["kind"]]: (
    order: Extract<LoadOrder, { kind: Kind }>,
  ) => LoadAnswers[Kind] | Promise<LoadAnswers[Kind]>;
};

const carryOut: CarryOut = {
  guilds: ({ count }) => {
    gateway.setGuilds(count);
    return null;
  },
  round_trip: ({ ms }) => {
    rest.setRoundTrip(ms);
    return null;
  },
  ready: async ({ bot }) => {
    await gateway.ready(bot);
    return null;
  },
  first_ack: ({ bot, user }) => firstAck(bot, user),
  closed: load.closed,
  open: load.open,
  posts: ({ reset }) => rest.posts(reset),
  looks: ({ reset }) => rest.looks(reset),
};

const tell = (message: FromLoad): void => {
  process.send?.(message);
};

process.on("message", ({ id, order }: NumberedOrder) => {
  const carry = carryOut[order.kind] as (
    order: LoadOrder,
  ) => Promise<LoadAnswers[LoadOrder["kind"]]>;
  Promise.try(carry, order).then(
    (result) => tell({ kind: "done", id, result }),
    (error: unknown) => tell({ kind: "failed", id, message: String(error) }),
  );
});
process.on("disconnect", () => process.exit(0));
tell({
  kind: "listening",
  apiUrl: `http://127.0.0.1:${rest.port}/api`,
  walletUrl: `http://127.0.0.1:${rest.port}`,
});
