import { describe, expect, it } from "vitest";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import { textsFor } from "#src/texts.ts";
import { oneDatabase } from "../support/databases.ts";
import { ANA, CHANNEL } from "../database/builders.ts";
import { directChannel } from "../support/fake-channels.ts";
import { OTHER_CHANNEL } from "./dispute-builders.ts";
import { NIGHT, useDisputeStage } from "./dispute-stage.ts";

const TITLE = textsFor("pt-BR").disputeAlerts.unlisted;

describe.each(oneDatabase)("S12: a MED that the list does not show, on $name", (kind) => {
  const openStage = useDisputeStage(kind);
  /** A stage whose list omits disputes whose id begins with `hidden`. */
  const hiding = async (at?: string) => {
    const stage = await openStage(at);
    stage.service.listed = (dispute) =>
      dispute.infractionId.startsWith("hidden") ? undefined : dispute;
    const told = (channelId?: string): readonly string[] =>
      stage.told(channelId).filter((title) => title === TITLE);
    const texts = (): string =>
      stage.channels
        .inChannel(directChannel(ANA))
        .map(({ text }) => text)
        .join("\n");
    return { ...stage, told, texts };
  };

  it("S12: is told within seven minutes, with both counts, and once", async () => {
    const stage = await hiding();
    stage.service.add("seen", 60);
    await stage.pass({ minutes: 10 });
    expect(stage.told()).toEqual([]);

    stage.service.add("hidden-1", 60);
    await stage.pass({ minutes: 7 });
    expect(stage.told()).toEqual([TITLE]);
    expect(stage.texts()).toContain("O serviço conta 2 MEDs pendentes e eu só consigo ler 1.");
    await stage.pass({ hours: 3 }, { minutes: 15 });
    expect(stage.told()).toEqual([TITLE]);
    expect(await stage.stores.disputeWatch.unlisted(stage.accountId)).toEqual({
      count: 1,
      notified: 1,
    });
  });

  it("S12: is told beside one that the list writes in another case than its detail", async () => {
    const stage = await hiding();
    const { listed, wallet } = stage.service;
    const { dispute: detail } = wallet;
    Object.assign(wallet, {
      dispute: (...[key, id, priority]: Parameters<typeof detail>) =>
        detail(key, id.toUpperCase(), priority),
    });
    stage.service.listed = (dispute) => {
      const row = listed(dispute);
      return row && { ...row, infractionId: row.infractionId.toLowerCase() };
    };
    stage.service.add("SEEN", 60);
    await stage.pass({ minutes: 10 });
    stage.service.add("hidden-1", 60);
    await stage.pass({ minutes: 7 });
    expect(stage.told()).toEqual([TITLE]);
  });

  it("S12: is told again when there are more, and after all of them were answered", async () => {
    const stage = await hiding();
    stage.service.add("hidden-1", 60);
    await stage.pass({ minutes: 7 });
    stage.service.add("hidden-2", 60);
    await stage.pass({ minutes: 7 });
    expect(stage.told()).toHaveLength(2);
    expect(stage.texts()).toContain(
      "O serviço conta 2 MEDs pendentes e eu não consigo ler nenhum.",
    );

    for (const id of ["hidden-1", "hidden-2"]) stage.service.change(id, { status: "disagreed" });
    await stage.pass({ minutes: 12 });
    expect(await stage.stores.disputeWatch.unlisted(stage.accountId)).toMatchObject({ count: 0 });
    stage.service.add("hidden-3", 60);
    await stage.pass({ minutes: 7 });
    expect(stage.told()).toHaveLength(3);
  });

  it("S12: is told when the list cannot be read at all", async () => {
    const stage = await hiding();
    stage.service.failing = (what) => (what === "list" ? "malformed" : undefined);
    stage.service.add("any", 60);
    await stage.pass({ minutes: 7 });
    expect(stage.told()).toEqual([TITLE]);
  });

  it("S12: is told of one that is listed and whose detail cannot be read, and as new once it can", async () => {
    const stage = await hiding();
    stage.service.add("seen", 60);
    await stage.pass({ minutes: 10 });
    stage.service.failing = (what) => (what === "unread" ? "malformed" : undefined);
    stage.service.add("unread", 60);
    await stage.pass({ minutes: 10 });
    expect(stage.told()).toEqual([TITLE]);
    expect(stage.texts()).toContain("O serviço conta 2 MEDs pendentes e eu só consigo ler 1.");
    await stage.pass({ hours: 3 }, { minutes: 15 });
    expect(stage.told()).toEqual([TITLE]);

    stage.service.failing = () => undefined;
    await stage.pass({ minutes: 12 });
    expect(stage.texts()).toContain("`unread`");
    expect(await stage.stores.disputeWatch.unlisted(stage.accountId)).toEqual({
      count: 0,
      notified: 0,
    });
  });

  it("S12: is not told of details that were read one poll later, nor of those not yet asked for", async () => {
    const stage = await hiding();
    await stage.pass({ minutes: 6 });
    for (let index = 0; index < 30; index++) stage.service.add(`many-${index}`, 60);
    stage.service.failing = (what) => (what === "many-3" ? "unavailable" : undefined);
    while (!stage.service.reads.includes("many-3")) await stage.pass({ minutes: 1 });
    stage.service.failing = () => undefined;
    await stage.pass({ minutes: 20 });
    expect(stage.told()).toEqual([]);
    expect(stage.texts()).toContain("`many-3`");
  });

  it("S12: is told in quiet hours too, as its deadline is not known", async () => {
    const stage = await hiding("2026-11-20T01:30Z");
    await stage.route({ quiet: NIGHT });
    stage.service.add("hidden-1", 60);
    await stage.pass({ minutes: 7 });
    expect(stage.told()).toEqual([TITLE]);
  });

  it("S12: is told to its owner, with the key and in the owner's language, once an English channel is lost", async () => {
    const stage = await hiding();
    await stage.stores.accounts.setLocale(ANA, "pt-BR");
    await stage.routeToChannel({ locale: "en-US" });
    stage.hold(CHANNEL, { kind: "lost_channel", code: 10003 });
    stage.service.add("hidden-1", 60);
    await stage.pass({ minutes: 8 });
    expect(stage.told()).toEqual([TITLE]);
    expect(stage.texts()).toContain("O serviço conta 1 MED pendente");
    expect(stage.texts()).toMatch(/"Chave","value":"`…\w{4}`"/);
  });

  it("S12: is told to its owner who chose direct messages during an attempt at the channel", async () => {
    const stage = await hiding();
    await stage.routeToChannel();
    stage.service.add("hidden-1", 60);
    stage.hold();
    const { post } = stage.channels;
    stage.channels.post = async (...call) => {
      const outcome = await post(...call);
      await stage.alerts("direct");
      return outcome;
    };
    await stage.pass({ minutes: 7 });
    stage.channels.mishap = undefined;
    await stage.pass({ minutes: 7 });
    expect([stage.told(), stage.told(CHANNEL)]).toEqual([[TITLE], []]);
  });

  it("S12: is told in the channel that was chosen after an attempt at the one before, and not there", async () => {
    const stage = await hiding();
    await stage.routeToChannel();
    stage.service.add("hidden-1", 60);
    const outcome = { kind: "unclear", reason: "timeout" } as const;
    stage.channels.mishap = () => ({ outcome, made: false });
    await stage.pass({ minutes: 7 });
    stage.channels.mishap = undefined;
    await stage.route({ channelId: OTHER_CHANNEL });
    await stage.pass({ minutes: 7 });
    expect([stage.told(CHANNEL), stage.told(OTHER_CHANNEL)]).toEqual([[], [TITLE]]);
  });

  it("S12: is told to nobody who wants no alerts, nor of one that is opened or answered meanwhile", async () => {
    const stage = await hiding();
    stage.service.add("seen", 60);
    await stage.pass({ minutes: 6 });
    // The summary still counts the dispute, while the list read after it omits it.
    let once = true;
    const { disputeSummary } = stage.service.wallet;
    Object.assign(stage.service.wallet, {
      disputeSummary: async (...given: Parameters<typeof disputeSummary>) => {
        const summary = await disputeSummary(...given);
        if (!once) return summary;
        once = false;
        return { ...summary, byStatus: { ...summary.byStatus, pending: 2 } };
      },
    });
    await stage.pass({ minutes: 12 });
    expect(stage.told()).toEqual([]);

    await stage.alerts("off");
    stage.service.add("hidden-1", 60);
    await stage.pass({ minutes: 12 });
    expect(stage.told()).toEqual([]);
  });

  /** The alert is owed while Discord rejects all posts. */
  const owed = async () => {
    const stage = await hiding();
    stage.hold();
    stage.service.add("hidden-1", 60);
    await stage.pass({ minutes: 7 });
    expect(await stage.stores.disputeWatch.unlisted(stage.accountId)).toMatchObject({
      notified: 1,
    });
    return stage;
  };

  it("S12: is taken back while it waits by alerts switched off, and told once they are on", async () => {
    const stage = await owed();
    await stage.alerts("off");
    stage.channels.mishap = undefined;
    await stage.pass({ minutes: 12 });
    expect(stage.told()).toEqual([]);
    await stage.alerts("direct");
    await stage.pass({ minutes: 12 });
    expect(stage.told()).toEqual([TITLE]);
  });

  it("S12: is not told late of what was answered or listed meanwhile", async () => {
    const stage = await owed();
    stage.service.change("hidden-1", { status: "disagreed" });
    await stage.pass({ minutes: 12 });
    stage.channels.mishap = undefined;
    await stage.pass({ minutes: 6 });
    expect(stage.told()).toEqual([]);
  });

  it("S12: is told late of one that a single poll did not count", async () => {
    const stage = await owed();
    stage.service.change("hidden-1", { status: "disagreed" });
    await stage.pass({ minutes: 5 });
    stage.channels.mishap = undefined;
    stage.service.change("hidden-1", { status: "pending" });
    await stage.pass({ minutes: 12 });
    expect(stage.told()).toEqual([TITLE]);
  });

  it("S12: is no longer missed once its owner opened it by its code", async () => {
    const stage = await hiding();
    const dispute = stage.service.add("hidden-1", 60);
    await stage.pass({ minutes: 7 });
    const followed = followedDispute(stage.accountId, dispute, stage.clock.now());
    await stage.stores.disputeWatch.keep(followed, [], stage.clock.now());
    await stage.pass({ minutes: 12 });
    expect(await stage.stores.disputeWatch.unlisted(stage.accountId)).toEqual({
      count: 0,
      notified: 0,
    });
    expect(stage.told()).toHaveLength(1);
  });
});
