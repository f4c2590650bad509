import { randomBytes } from "node:crypto";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Client, request } from "undici";
import { freePort } from "#src/sandbox/free-port.ts";
import { asked, type Bench, onFile, type Section, withBot } from "../bench.ts";
import type { BotUnderLoad } from "../bot-under-load.ts";
import { absolute, median, type Figure } from "../figures.ts";
import { seedIdleSellers, seedWebhooks } from "../seed.ts";

const SELLERS = 500;
const WRONG_CALLS = 10_000;
const HUGE_PER_SECOND = 10;
const HUGE_BYTES = 100 * 1024 * 1024;
const PIECE = Buffer.alloc(64 * 1024);
const COMMANDS_PER_SECOND = 20;
const TIMED = 5_000;
/** Secrets whose next request is timed: each is called once, so that no call is throttled. */
const FOLLOWED = 300;
/** So long that the work of earlier right calls, at random times, leaves most pairs alone. */
const BETWEEN_PAIRS_MS = 20;
/**
 * Medians further apart tell a right secret. On a busy machine two of wrong calls are up to 2 and 60 µs apart; work that
 * begins with the call moves the next request by 200 µs.
 */
const MOST_APART_US = { answer: 20, "next request": 100 } as const;

interface Caller {
  readonly bench: Bench;
  readonly bot: BotUnderLoad;
  readonly origin: string;
  readonly right: string;
}

const wrongPath = (): string => `/ganchos/${randomBytes(48).toString("base64url")}`;

/** Calls from outside: what a flood of wrong ones does to commands, and whether an answer's time tells a right secret. */
export const webhooks: Section = async (bench) => {
  const { files, load } = bench;
  const { walletUrl } = load;
  const file = join(files.folder, "webhooks.db");
  await seedIdleSellers({ ...files, file, walletUrl, users: SELLERS, alerts: true });
  const tokens = await seedWebhooks({ ...files, file, walletUrl, sellers: FOLLOWED + 1 });
  const origin = `http://127.0.0.1:${await freePort()}`;
  const settings = { HTTP_PORT: new URL(origin).port, PUBLIC_URL: origin };
  const [right = "", ...rights] = tokens.map((token) => `/ganchos/${token}`);
  const measure = async (bot: BotUnderLoad): Promise<readonly Figure[]> => {
    const caller = { bench, bot, origin, right };
    return [
      ...(await flood(caller)),
      ...(await timing(caller)),
      ...(await followers(caller, rights)),
    ];
  };
  return await withBot(onFile(bench, file), "ours", measure, settings);
};

const commands = ({ bench }: Caller, seconds: number) =>
  asked(bench, { perSecond: COMMANDS_PER_SECOND, seconds, users: SELLERS });

const flood = async (caller: Caller): Promise<readonly Figure[]> => {
  const { bench, bot } = caller;
  const seconds = bench.quick ? 15 : 60;
  await commands(caller, 3);
  const alone = await commands(caller, 5);
  const before = await bot.settledMemoryMb();
  const cpuBefore = bot.cpuSeconds();
  let most = before;
  const watching = setInterval(() => (most = Math.max(most, bot.memoryMb())), 250);
  const [wrong, huge, beside] = await Promise.all([
    wrongCalls(caller, seconds),
    hugeBodies(caller, seconds),
    commands(caller, seconds),
  ]);
  clearInterval(watching);
  const cpu = bot.cpuSeconds() - cpuBefore;
  const after = await bot.settledMemoryMb();
  bench.say(
    `  ${seconds} s: ${wrong.answered} wrong calls answered, ${wrong.failed} failed; ${huge.opened} bodies of 100 MB: ` +
      `${huge.answered} answered, ${(huge.sentBytes / huge.opened / 1024 / 1024).toFixed(2)} MB left the sender each; ` +
      `${beside.sent} commands, ${beside.lost} lost; CPU ${cpu.toFixed(1)} s; looks ${await metric(caller, "balcao_webhook_looks_total")}`,
  );
  return [
    absolute("commands lost beside wrong calls", "", { ours: beside.lost }, { most: 0 }),
    absolute(
      "final answer p99 beside wrong calls, to none",
      "ms",
      { ours: beside.finalMs.p99, yardstick: alone.finalMs.p99 },
      { most: 1_000 },
    ),
    absolute(
      "slowest final answer beside wrong calls",
      "ms",
      { ours: beside.finalMs.most, yardstick: alone.finalMs.most },
      { most: 1_000 },
    ),
    absolute("memory added at most by wrong calls", "MB", { ours: most - before }, { most: 100 }),
    absolute("memory kept after wrong calls", "MB", { ours: after - before }, { most: 20 }),
    absolute(
      "bodies of 100 MB without an answer",
      "",
      { ours: huge.opened - huge.answered },
      { most: 0 },
    ),
  ];
};

const wrongCalls = async ({ origin }: Caller, seconds: number) => {
  const begun = performance.now();
  const ends: Promise<boolean>[] = [];
  const call = async (): Promise<boolean> => {
    try {
      const answer = await request(`${origin}${wrongPath()}`, { method: "POST", body: "{}" });
      await answer.body.dump();
      return answer.statusCode === 202;
    } catch {
      return false;
    }
  };
  while (ends.length < WRONG_CALLS) {
    const due = Math.min(
      WRONG_CALLS,
      ((performance.now() - begun) / 1_000 / seconds) * WRONG_CALLS + 1,
    );
    while (ends.length < due) ends.push(call());
    await pause(5);
  }
  const answered = (await Promise.all(ends)).filter(Boolean).length;
  return { answered, failed: ends.length - answered };
};

/** Sends as much of the body as the bot takes. */
const hugeBody = (port: number): Promise<{ readonly sent: number; readonly answered: boolean }> =>
  new Promise((resolve) => {
    let sent = 0;
    let answered = false;
    const socket = connect(port, "127.0.0.1");
    const send = (): void => {
      while (!socket.destroyed && sent < HUGE_BYTES) {
        sent += PIECE.length;
        if (!socket.write(PIECE)) return;
      }
    };
    socket.on("error", () => {});
    socket.on("data", (bytes: Buffer) => (answered ||= bytes.includes("202 Accepted")));
    socket.on("drain", send);
    socket.on("close", () =>
      resolve({ sent: Math.max(0, sent - socket.writableLength), answered }),
    );
    socket.write(
      `POST ${wrongPath()} HTTP/1.1\r\nHost: bench\r\nContent-Length: ${HUGE_BYTES}\r\n\r\n`,
      send,
    );
  });

const hugeBodies = async ({ origin }: Caller, seconds: number) => {
  const port = Number(new URL(origin).port);
  const bodies: ReturnType<typeof hugeBody>[] = [];
  for (let count = 0; count < seconds * HUGE_PER_SECOND; count++) {
    bodies.push(hugeBody(port));
    await pause(1_000 / HUGE_PER_SECOND);
  }
  const ended = await Promise.all(bodies);
  return {
    opened: ended.length,
    answered: ended.filter(({ answered }) => answered).length,
    sentBytes: ended.reduce((all, { sent }) => all + sent, 0),
  };
};

const metric = async ({ origin }: Caller, name: string): Promise<string> => {
  const { body } = await request(`${origin}/metrics`);
  return new RegExp(`^${name} (\\d+)$`, "m").exec(await body.text())?.[1] ?? "?";
};

const KINDS = ["right", "wrong", "control"] as const;

type Times = Record<(typeof KINDS)[number], number[]>;

/** In random order. `control` is wrong too: its distance from `wrong` is the noise. Every path is made alike. */
const inRandomOrder = (count: number, right: (index: number) => string) =>
  KINDS.flatMap((kind) => Array.from({ length: count }, (_, index) => ({ kind, index })))
    .map(({ kind, index }) => {
      const bytes = Buffer.from(kind === "right" ? right(index) : wrongPath());
      return { kind, path: bytes.toString("latin1"), at: Math.random() };
    })
    .toSorted((one, other) => one.at - other.at);

/** Calls on one connection. @returns microseconds to the answer */
const openCaller = async (origin: string) => {
  const client = new Client(origin, { pipelining: 1 });
  const call = async (path: string): Promise<number> => {
    const begun = performance.now();
    const { body } = await client.request({ path, method: "POST", body: "{}" });
    await body.dump();
    return (performance.now() - begun) * 1_000;
  };
  for (let count = 0; count < 1_000; count++) await call(wrongPath());
  return { call, close: async () => await client.close() };
};

const mediansApart = (
  { bench }: Pick<Caller, "bench">,
  name: keyof typeof MOST_APART_US,
  took: Times,
): readonly Figure[] => {
  const [right, wrong, control] = [median(took.right), median(took.wrong), median(took.control)];
  bench.say(
    `  ${name}, ${took.right.length} each: right ${right.toFixed(1)} µs, wrong ${wrong.toFixed(1)} µs, ` +
      `wrong again ${control.toFixed(1)} µs`,
  );
  return [
    absolute(`${name}, right call to wrong one`, "µs", { ours: right, yardstick: wrong }),
    absolute(
      `${name}, medians apart to two wrong ones`,
      "µs",
      { ours: Math.abs(right - wrong), yardstick: Math.abs(control - wrong) },
      { most: MOST_APART_US[name] },
    ),
  ];
};

const timing = async (parts: Caller): Promise<readonly Figure[]> => {
  const { call, close } = await openCaller(parts.origin);
  const took: Times = { right: [], wrong: [], control: [] };
  for (const { kind, path } of inRandomOrder(TIMED, () => parts.right))
    took[kind].push(await call(path));
  await close();
  return mediansApart(parts, "answer", took);
};

/** The request after each call: work that begins with the call would hold it up. */
const followers = async (parts: Caller, rights: readonly string[]): Promise<readonly Figure[]> => {
  const { call, close } = await openCaller(parts.origin);
  const took: Times = { right: [], wrong: [], control: [] };
  for (const { kind, path } of inRandomOrder(FOLLOWED, (index) => rights[index] ?? "")) {
    await call(path);
    took[kind].push(await call(wrongPath()));
    await pause(BETWEEN_PAIRS_MS);
  }
  await close();
  return mediansApart(parts, "next request", took);
};
