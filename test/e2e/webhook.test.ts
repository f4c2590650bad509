import { beforeEach, describe, expect, test } from "vitest";
import { request } from "undici";
import { randomBytes } from "node:crypto";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import type { StoredMessage } from "#src/sandbox/discord/state.ts";
import { rowsOf } from "../support/rows-of.ts";
import { createWatch, type Watch } from "./support/disputes.ts";
import { english } from "./support/english.ts";
import { partWith } from "./support/money.ts";
import { freePort } from "#src/sandbox/free-port.ts";
import { buttonOf, messageOf, openStage, type Stage, textOf, type } from "./support/stage.ts";

const PATIENT = { timeout: 10_000 };
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/ganchos\/[\w-]{64}/;

describe("a webhook", () => {
  let stage: Stage;
  let watch: Watch;
  let publicUrl: string;
  let settings: { readonly HTTP_PORT: string; readonly PUBLIC_URL: string };

  const ana = () => stage.sandbox.discord.person(ANA.id);
  const shown = async (channelId: string = CHANNELS.geral.id): Promise<StoredMessage> =>
    messageOf(await type(ana(), "conta webhook", {}, channelId));
  const addressIn = (message: StoredMessage): string => {
    const [address] = ADDRESS.exec(message.content) ?? [];
    if (address === undefined) throw new Error(`No address in ${textOf(message)}`);
    return address;
  };
  const press = async (message: StoredMessage, label: RegExp): Promise<StoredMessage> =>
    messageOf(await ana().click(message.id, buttonOf(message, label)));
  const call = async (address: string): Promise<number> => {
    const body = JSON.stringify({ type: "whatever", amount: 1 });
    const answer = await request(address, { method: "POST", body });
    await answer.body.dump();
    return answer.statusCode;
  };
  const counted = async (name: string): Promise<number> => {
    const { body } = await request(`${publicUrl}/metrics`);
    const [, count] = new RegExp(`^${name.replace(/[{}]/g, "\\$&")} (\\d+)$`, "m").exec(
      await body.text(),
    ) ?? ["", "0"];
    return Number(count);
  };
  const CALLS = "balcao_webhook_calls_total";
  const told = (words: string): number =>
    stage.sandbox.discord.directMessages(ANA.id).filter((each) => textOf(each).includes(words))
      .length;
  const asked = (path: string): number =>
    stage.sandbox.wallet.requests.filter((each) => each.path.startsWith(path)).length;

  beforeEach(async () => {
    const port = await freePort();
    publicUrl = `http://127.0.0.1:${port}`;
    settings = { HTTP_PORT: String(port), PUBLIC_URL: publicUrl };
    const sandbox = { wallet: { withdrawalLimits: false } };
    stage = await openStage(undefined, { sandbox, settings });
    await stage.connectAna();
    watch = createWatch(stage);
    await watch.later(6);
  });

  test("is shown once and privately, replaced and switched off, and the old ones do nothing", async () => {
    const made = await shown();
    const first = addressIn(made);
    expect(textOf(made)).toContain("Mostrado só agora");
    const seen = JSON.stringify(stage.sandbox.discord.visibleTo(BRUNO.id).channels);
    expect(seen).not.toContain(first);
    const again = await shown();
    expect(textOf(again)).not.toMatch(ADDRESS);
    expect(textOf(again)).toContain("Nenhuma ainda");
    const asked = await press(again, /Trocar/);
    expect(textOf(asked)).toContain("só o endereço novo funciona");
    expect(textOf(await press(asked, /Manter/))).toContain("Endereço de aviso ligado");
    const second = addressIn(await press(await press(await shown(), /Trocar/), /Trocar agora/));
    expect(second).not.toBe(first);

    expect(await call(first)).toBe(202);
    await expect.poll(() => counted(`${CALLS}{outcome="wrong"}`)).toBe(1);
    expect(await call(second)).toBe(202);
    await expect.poll(() => counted(`${CALLS}{outcome="right"}`)).toBe(1);
    expect(textOf(await shown())).not.toContain("Nenhuma ainda");

    const off = await press(await press(await shown(), /Desligar/), /Desligar agora/);
    expect(textOf(off)).toContain("Endereço de aviso desligado");
    expect(await call(second)).toBe(202);
    await expect.poll(() => counted(`${CALLS}{outcome="wrong"}`)).toBe(2);
    for (const address of [first, second])
      expect(stage.logged()).not.toContain(address.split("/").at(-1));
  });

  test("wakes the look at withdrawals, those of the journal and those begun elsewhere", async () => {
    const { wallet } = stage.sandbox;
    const address = addressIn(await shown());
    await watch.moneyDriver.withdraw();
    const [own] = wallet.executed(ANA.id);
    const detail = `/v1/withdrawals/${own?.txid}`;
    // The next check by itself is half an hour away.
    await watch.later(20);
    const before = asked(detail);
    expect(before).toBeGreaterThan(0);
    const pixKey = "outra@example.com";
    const placed = wallet.dashboardWithdraw(ANA.id, { amountCents: 5_000, pixKey, turbo: true });
    expect(placed.kind).toBe("accepted");
    await call(address);
    await expect.poll(() => told("Há um saque que não foi pedido por aqui"), PATIENT).toBe(1);
    await expect.poll(() => asked(detail), PATIENT).toBe(before + 1);
  });

  test("ends with the connection, and goes on after a restart of the bot", async () => {
    const address = addressIn(await shown());
    await stage.restart();
    await call(address);
    await expect.poll(() => counted(`${CALLS}{outcome="right"}`)).toBe(1);
    const question = messageOf(await type(ana(), "conta desconectar"));
    await ana().click(question.id, buttonOf(question, /Apagar/));
    await call(address);
    await expect.poll(() => counted(`${CALLS}{outcome="wrong"}`)).toBe(1);
  });

  describe("that was trusted", () => {
    const sell = (product: string) =>
      stage.sandbox.wallet.sales({ owner: ANA.id, origin: "api", reais: 10, product }, 1);
    const untilLook = async (): Promise<number> => {
      const [row] = await rowsOf(stage.databaseUrl, "sale_watch");
      const at = Temporal.Instant.from(String(row?.["next_look_at"]));
      return at.since(stage.sandbox.clock.now()).total("minutes");
    };

    beforeEach(async () => {
      const shownState = messageOf(await type(ana(), "conta ver"));
      await ana().select(shownState.id, partWith(shownState, "conta:vendas:"), ["direct"]);
      await watch.later(1);
      stage.sandbox.wallet.webhooks.register(ANA.id, addressIn(await shown()));
      for (const product of ["P1", "P2"]) {
        // A call at the very instant of the one before is not told apart while its look goes on.
        stage.sandbox.clock.moveBy(1_000);
        sell(product);
        await expect.poll(() => told(`\`${product}\``), PATIENT).toBe(1);
      }
      // From now on the looks are rare.
      await watch.later(5);
      await stage.bot().stop();
    });

    test("misses nothing while the bot is away: a sale of then is told after the start", async () => {
      sell("P3");
      await stage.restart(settings);
      // The looks of all accounts are spread over two minutes; this one was due in ten.
      await expect.poll(untilLook, PATIENT).toBeLessThanOrEqual(2);
      for (let minute = 0; minute < 3; minute++) await watch.later(1);
      await expect.poll(() => told("`P3`"), PATIENT).toBe(1);
    });

    test("is told as trusted, though no call has announced a MED", async () => {
      await stage.restart(settings);
      await watch.later(1);
      await expect.poll(async () => textOf(await shown()), PATIENT).toContain("Sim: avisaram");
    });

    test("leaves no look rare after a start without calls", async () => {
      await stage.restart({});
      await expect.poll(untilLook, PATIENT).toBeLessThanOrEqual(2);
    });
  });

  test("marks or drops each call of a burst once, and drops wrong secrets", async () => {
    const address = addressIn(await shown());
    const wrong = (): string => `${publicUrl}/ganchos/${randomBytes(48).toString("base64url")}`;
    const statuses = await Promise.all(
      Array.from({ length: 100 }, (_, index) => call(index % 2 === 0 ? address : wrong())),
    );
    expect(new Set(statuses)).toEqual(new Set([202]));
    await expect.poll(() => counted(`${CALLS}{outcome="wrong"}`)).toBe(50);
    const right = () => counted(`${CALLS}{outcome="right"}`);
    const limited = () => counted(`${CALLS}{outcome="limited"}`);
    // The last call of the burst is marked at the end of its gap.
    await expect.poll(async () => (await right()) + (await limited()), PATIENT).toBe(50);
    await expect.poll(() => counted("balcao_webhook_looks_total"), PATIENT).toBeGreaterThan(0);
  });

  test("is called by the wallet service, and wakes the look at MEDs: the alert comes without the next poll", async () => {
    const { webhooks } = stage.sandbox.wallet;
    webhooks.register(ANA.id, addressIn(await shown()));
    const id = watch.open(100);
    await expect.poll(() => watch.told(id), PATIENT).toEqual(["Novo MED"]);
    expect(webhooks.answered()).toBe(1);
  });

  test("works in the direct message, for the person's own account", async () => {
    const direct = ana().openDirectMessages();
    const address = addressIn(await shown(direct));
    const off = await press(await press(await shown(direct), /Desligar/), /Desligar agora/);
    expect(textOf(off)).toContain("Endereço de aviso desligado");
    await call(address);
    await expect.poll(() => counted(`${CALLS}{outcome="wrong"}`)).toBe(1);
  });

  test("is refused from the beginning of a stop until the next start has its jobs", async () => {
    const address = addressIn(await shown());
    const { faults } = stage.sandbox;
    const hang = { kind: "hang", ms: 2_000, at: "before" } as const;
    const meds = faults.failNext(["GET /v1/meds", "GET /v1/meds/summary"], hang);
    const polled = watch.later(6);
    await expect.poll(meds.left, PATIENT).toBe(0);
    const stopped = stage.bot().stop();
    expect(await call(address)).toBe(503);
    await Promise.all([polled, stopped]);

    faults.failNext("GET /applications/@me", hang);
    const started = stage.restart(settings);
    await expect.poll(() => call(address).catch(() => 0), PATIENT).toBe(503);
    await started;
    expect(await call(address)).toBe(202);
  });

  test("reads in English", async () => {
    ana().setLocale("en-US");
    const made = await shown();
    expect(textOf(made)).toContain("Shown only now");
    const state = await shown();
    const replacement = await press(state, /Replace/);
    const removal = await press(await shown(), /Switch off/);
    const ends = [await press(replacement, /Replace now/), await press(removal, /Switch off now/)];
    for (const message of [made, state, replacement, removal, ...ends])
      english(textOf(message).replace(ADDRESS, ""));
  });

  test("is not offered where the operator has set no public address", async () => {
    await stage.restart({});
    expect(textOf(await shown())).toContain("PUBLIC_URL");
    ana().setLocale("en-US");
    const text = textOf(await shown());
    expect(text).toContain("`PUBLIC_URL`");
    english(text);
  });
});
