import { expect, test } from "vitest";
import { createRateLimits } from "#src/sandbox/discord/rate-limits.ts";

test("50 requests of a second pass, the 51st waits for the second's end", () => {
  let nowMs = 1_000;
  const limits = createRateLimits(50, 5, () => nowMs);
  for (let n = 0; n < 50; n++) limits.spend();
  nowMs += 400;
  expect(limits.spend).toThrow(
    expect.objectContaining({ status: 429, fields: { retry_after: 0.6, global: true } }),
  );
  nowMs += 600;
  expect(limits.spend).not.toThrow();
});

test("5 posts to a channel pass in 5 seconds, whatever other channels get", () => {
  let nowMs = 1_000;
  const limits = createRateLimits(50, 5, () => nowMs);
  const remaining = (channelId: string) => limits.spendPost(channelId)["x-ratelimit-remaining"];
  expect(Array.from({ length: 5 }, () => remaining("a"))).toEqual(["4", "3", "2", "1", "0"]);
  nowMs += 1_500;
  expect(() => remaining("a")).toThrow(
    expect.objectContaining({ status: 429, fields: { retry_after: 3.5, global: false } }),
  );
  expect(remaining("b")).toBe("4");
  nowMs += 3_500;
  expect(remaining("a")).toBe("4");
});
