import { expect, test } from "vitest";
import { nonceOf, type Posting, referenceOf } from "#src/delivery/delivery.ts";
import type { DeliverNeeds } from "#src/delivery/deliver.job.ts";
import { recordingLog } from "../discord/support/parts.ts";
import { noticeTo } from "../database/builders.ts";
import { HOUR } from "#src/shared/time.ts";
import { stageWithAna } from "../support/stage.ts";
import { testDeliver } from "../support/fake-channels.ts";

const START = "2026-11-20T00:05Z";

test.each<[string, Partial<Posting>, Partial<DeliverNeeds>]>([
  ["is made", {}, {}],
  [
    "goes elsewhere first",
    {},
    {
      revalidate: async ({ attempts, target }) =>
        attempts === 1 ? { kind: "moved", target } : { kind: "holds" },
    },
  ],
  ["fails", { post: () => Promise.reject(new TypeError("a mistake of ours")) }, {}],
  ["reaches nobody", { post: async () => ({ kind: "unreachable_person", code: 50_007 }) }, {}],
])(
  "the log of a post that %s names no person and no payment, and leads to its row",
  async (_, changed, parts) => {
    const stage = await stageWithAna(START);
    const target = { kind: "person", userId: "920000000000000001" } as const;
    const dedupeKey = `ghost|${stage.anaId}|SW-8f3a9b2c|${target.userId}`;
    await stage.stores.outbox.enqueue(
      {
        ...noticeTo(target.userId, dedupeKey),
        notBefore: stage.clock.now(),
      },
      stage.clock.now(),
    );
    const { log, lines } = recordingLog();
    const deliver = testDeliver({
      clock: stage.clock,
      log,
      outbox: stage.stores.outbox,
      posting: { ...stage.channels, ...changed },
      ...parts,
    });
    await deliver({ stopping: stage.stopping.signal, news: stage.news, retryAt: () => {} });
    const nonce = nonceOf(dedupeKey);
    const rows = await stage.db.selectFrom("outbox").select("nonce").execute();
    expect(rows).toEqual([{ nonce }]);
    expect(lines).not.toEqual([]);
    for (const { fields } of lines)
      expect(fields).toMatchObject({ kind: "notice", delivery: referenceOf(dedupeKey), nonce });
    expect(JSON.stringify(lines)).not.toMatch(/920000000000000001|SW-8f3a9b2c/);
  },
);

test("the log warns of a post that is given up as unclear", async () => {
  const stage = await stageWithAna(START);
  const { outbox } = stage.stores;
  const notBefore = stage.clock.now();
  await outbox.enqueue({ ...noticeTo("ana", "unclear"), notBefore }, notBefore);
  const { log, lines } = recordingLog();
  stage.channels.searchMishap = () => ({ kind: "too_long" });
  const posting: Posting = {
    ...stage.channels,
    post: async () => ({ kind: "unclear", reason: "reset" }),
  };
  const deliver = testDeliver({ clock: stage.clock, log, outbox, posting });
  for (let times = 0; times < 2; times += 1) {
    await deliver({ stopping: stage.stopping.signal, news: stage.news, retryAt: () => {} });
    stage.clock.moveBy(HOUR);
  }
  expect(lines.map(({ level, fields }) => [level, fields["state"]])).toEqual([
    ["info", "due"],
    ["warn", "unknown"],
  ]);
});
