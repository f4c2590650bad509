import { afterEach, beforeEach, expect, test } from "vitest";
import type { BotState } from "#src/sandbox/start-bot-process.ts";
import { type RunningPage, startPage } from "#src/sandbox/page/page-server.ts";
import { type Sandbox, startSandbox } from "#src/sandbox/start-sandbox.ts";
import { ANA, APPLICATION } from "#src/sandbox/world.ts";
import { pushedView } from "./pushed-view.ts";

let sandbox: Sandbox;
let page: RunningPage;
let state: BotState;
let mayStart: boolean;

beforeEach(async () => {
  sandbox = await startSandbox();
  state = "on";
  mayStart = true;
  const bot = {
    state: () => state,
    kill: async () => void (state = "off"),
    start: async () => {
      if (!mayStart) throw new Error("Discord is out of reach");
      state = "on";
    },
    onChange: () => () => {},
  };
  page = await startPage({ sandbox, port: 0, bot });
});
afterEach(async () => {
  await page.stop();
  await sandbox.stop();
});

const change = async (what: string, up: boolean): Promise<number> => {
  const { status } = await fetch(`${page.url}/outage`, {
    method: "POST",
    headers: { origin: page.url },
    body: JSON.stringify({ what, up }),
  });
  return status;
};
const outages = async () => (await pushedView(page.url)).outages;
const wallet = () =>
  fetch(`${sandbox.wallet.baseUrl}/v1/balance`, {
    headers: { authorization: `Bearer ${ANA.apiKey}` },
  });
const discord = () =>
  fetch(`${sandbox.discord.apiUrl}/v10/gateway/bot`, {
    headers: { authorization: `Bot ${APPLICATION.token}` },
  });

test("the wallet goes down alone, and comes back", async () => {
  await change("wallet", false);
  await expect(wallet()).rejects.toThrow("fetch failed");
  expect((await discord()).status).toBe(200);
  expect(await outages()).toEqual({ bot: "on", wallet: "off", discord: "on" });
  await change("wallet", true);
  expect((await wallet()).ok).toBe(true);
  expect((await outages()).wallet).toBe("on");
});

test("Discord goes down beside the wallet, and each comes back by itself", async () => {
  await change("discord", false);
  await change("wallet", false);
  await expect(discord()).rejects.toThrow("fetch failed");
  await change("wallet", true);
  await expect(discord()).rejects.toThrow("fetch failed");
  expect((await wallet()).ok).toBe(true);
  await change("discord", true);
  expect((await discord()).status).toBe(200);
});

test("the bot is killed and started, and the page hears when it could not", async () => {
  await change("bot", false);
  expect((await outages()).bot).toBe("off");
  mayStart = false;
  expect(await change("bot", true)).toBe(500);
  mayStart = true;
  expect(await change("bot", true)).toBe(200);
  expect((await outages()).bot).toBe("on");
});
