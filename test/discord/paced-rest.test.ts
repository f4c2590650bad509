import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { type DiscordApi } from "#src/discord/discord-api.ts";
import { createPacedRest } from "#src/discord/paced-rest.ts";
import { HOUR } from "#src/shared/time.ts";
import { type FakeRest, type RestAnswer, connectFakeRest } from "./support/fake-rest.ts";

const LIMITED = "1180000000000000101";
const OTHER = "1180000000000000202";
const AT = "Fri, 20 Nov 2026 00:05:00 GMT";
const IN_A_MINUTE = "Fri, 20 Nov 2026 00:06:00 GMT";

let discord: FakeRest;
let api: DiscordApi;
let rest: ReturnType<typeof createPacedRest>;
beforeEach(async () => {
  ({ discord, api } = await connectFakeRest());
  rest = createPacedRest(api);
});
afterEach(() => rest.close());

const post = (channelId: string) => rest.call("POST", `/channels/${channelId}/messages`);

describe("a limit of one channel", () => {
  test.each<[string, Omit<RestAnswer, "status">, number]>([
    ["is given in seconds", { headers: { "retry-after": "60" } }, 60_000],
    ["is a date", { headers: { "retry-after": IN_A_MINUTE, date: AT } }, 60_000],
    ["stands in the body alone", { body: { retry_after: 60 } }, 60_000],
    [
      "is zero before the body's",
      { headers: { "retry-after": "0" }, body: { retry_after: 60 } },
      60_000,
    ],
    ["is not given", {}, 30_000],
    ["is negative", { headers: { "retry-after": "-5" }, body: { retry_after: -5 } }, 30_000],
    ["is a date that has passed", { headers: { "retry-after": AT, date: IN_A_MINUTE } }, 30_000],
    ["is a word", { headers: { "retry-after": "soon" }, body: { retry_after: "soon" } }, 30_000],
    ["has a unit", { headers: { "retry-after": "60s" } }, 30_000],
    ["is longer than a life", { headers: { "retry-after": "99999999999" } }, 3_600_000],
  ])("whose wait %s is asked about once, and others go on", async (_, limit, waitMs) => {
    discord.answer(({ path }) =>
      path.includes(LIMITED) ? { status: 429, ...limit } : { status: 200, body: { id: "99" } },
    );
    const answer = await post(LIMITED);
    expect(answer).toEqual({ kind: "limited", retryAfterMs: expect.any(Number) as number });
    // The package adds an allowance of its own, and its count has begun by now.
    const retryAfterMs = answer.kind === "limited" ? answer.retryAfterMs : 0;
    expect(Math.round(retryAfterMs / 1_000)).toBe(waitMs / 1_000);
    expect(discord.requests).toHaveLength(1);
    expect(await post(OTHER)).toEqual({ kind: "ok", body: { id: "99" } });
  });

  test("whose wait is nothing is asked about again a second later at the earliest", async () => {
    const impatient = createPacedRest(api, { requestMs: 400, callMs: 500 });
    discord.answer(() => ({ status: 429, headers: { "retry-after": "0" } }));
    expect(await impatient.call("POST", `/channels/${LIMITED}/messages`)).toMatchObject({
      kind: "no_answer",
      unsent: true,
    });
    expect(discord.requests).toHaveLength(1);
    impatient.close();
  });
});

test("a limit of the whole bot that would never end is over within an hour", async () => {
  const headers = { "retry-after": "99999999999", "x-ratelimit-global": "true" };
  discord.answer(() => ({ status: 429, headers }));
  await post(LIMITED);
  const behind = await post(OTHER);
  expect(behind).toMatchObject({ kind: "limited" });
  expect(behind.kind === "limited" && behind.retryAfterMs).toBeLessThanOrEqual(3_600_100);
});

test.each<[string, RestAnswer]>([
  [
    "one channel",
    { status: 200, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "5" } },
  ],
  [
    "the whole bot",
    { status: 429, headers: { "retry-after": "60", "x-ratelimit-global": "true" } },
  ],
])(
  "a limit of %s does not last for hours once the clock was set back by them",
  async (_, first) => {
    const answers = [first];
    discord.answer(() => answers.shift() ?? { status: 200, body: { id: "99" } });
    await post(LIMITED);
    const { now } = Date;
    const clock = vi.spyOn(Date, "now").mockImplementation(() => now() - 3 * HOUR);
    onTestFinished(() => clock.mockRestore());
    expect(await post(LIMITED)).toEqual({ kind: "limited", retryAfterMs: 30_000 });
    expect(await post(LIMITED)).toEqual({ kind: "ok", body: { id: "99" } });
  },
);
