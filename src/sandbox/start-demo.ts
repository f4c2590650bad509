import { mkdtempSync, rmSync } from "node:fs";
import { freePort, isPortTaken } from "./free-port.ts";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type BotProcess,
  type BotSwitch,
  startBotProcess,
  startBotSwitch,
} from "./start-bot-process.ts";
import { startPage } from "./page/page-server.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "./start-sandbox.ts";

export type Demo = Awaited<ReturnType<typeof startDemo>>;

interface DemoOptions extends SandboxOptions {
  /** Called when somebody starts over in the page. */
  readonly onStartOver?: () => void;
  /** Called when the bot ends before the demo does. */
  readonly onBotEnd?: () => void;
}

/**
 * Both services, the page, and the real bot with a fresh database, which `stop` deletes. `port` is for the page; a free
 * port takes its place when it is in use. @throws Error when the bot does not get ready.
 */
export const startDemo = async (port: number, options: DemoOptions = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "balcao-demo-"));
  const begun: (() => Promise<unknown>)[] = [
    async () => rmSync(folder, { recursive: true, force: true }),
  ];
  let isStopping = false;
  const stop = async (): Promise<void> => {
    isStopping = true;
    for (const end of begun.splice(0).toReversed()) await end();
  };
  try {
    const sandbox = await startSandbox(options);
    begun.push(sandbox.stop);
    // The same at each start of the bot, because the wallet service keeps the address.
    const callsPort = await freePort();
    const runBot = async (): Promise<BotProcess> => {
      const started = await startBotProcess({
        sandbox,
        databaseUrl: `sqlite:${join(folder, "balcao.db")}`,
        env: {
          HTTP_PORT: String(callsPort),
          PUBLIC_URL: `http://127.0.0.1:${callsPort}`,
          MED_ANSWER_URL: "https://painel.example/med",
        },
        onOutput: (text) => process.stderr.write(text),
      });
      begun.push(started.stop);
      return started;
    };
    const power = await startBotSwitch(runBot);
    const page = await openPage(sandbox, port, power, options.onStartOver);
    begun.push(page.stop);
    power.onChange(() => {
      if (power.state() === "off" && !isStopping) options.onBotEnd?.();
    });
    return { sandbox, page, power, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const openPage = async (
  sandbox: Sandbox,
  port: number,
  bot: BotSwitch,
  onStartOver: () => void = () => {},
) => {
  try {
    return await startPage({ sandbox, port, bot, onStartOver });
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    return await startPage({ sandbox, port: 0, bot, onStartOver });
  }
};

/**
 * Starts a demo, and another one at the same address whenever somebody starts over in the page: with a fresh database,
 * fresh services and the clock at real time. Returns the one that runs or begins.
 */
export const startDemos = (
  port: number,
  options: Omit<DemoOptions, "onStartOver"> = {},
): (() => Promise<Demo>) => {
  const begin = async (at: number): Promise<Demo> => {
    let isLeft = false;
    const demo = await startDemo(at, {
      ...options,
      onStartOver: () => {
        // Two pages may ask at once.
        if (isLeft) return;
        isLeft = true;
        current = demo.stop().then(() => begin(Number(new URL(demo.page.url).port)));
      },
    });
    return demo;
  };
  let current = begin(port);
  return () => current;
};

const EVERY_MS = 200;

/**
 * Ends this process when its parent is gone: a SIGTERM ends npm and the shell between, and the shell does not pass it
 * on. A process started without npm may outlive its shell.
 */
export const endWithNpm = (): void => {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, "SIGTERM");
  }, EVERY_MS);
  timer.unref();
};
