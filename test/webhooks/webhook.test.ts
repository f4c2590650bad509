import { createHmac, randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSecretScrubber } from "#src/shared/secret.ts";
import { newSecret, secretHashOf, webhookAddress } from "#src/webhooks/webhook.ts";

const keyed = (purpose: string) => (text: string) =>
  createHmac("sha256", purpose).update(text).digest("base64url");
const hashes = { seal: keyed("seal"), hash: keyed("hash") };
const random = { bytes: (size: number) => randomBytes(size) };

describe("the secret of a webhook", () => {
  test("has 256 random bits, and its hash is found again by its token alone", () => {
    let drawn = 0;
    const counting = { bytes: (size: number) => ((drawn += size), randomBytes(size)) };
    const made = newSecret(counting, hashes);
    expect(drawn).toBe(32);
    expect(made.token).toMatch(/^[\w-]{64}$/);
    expect(secretHashOf(made.token, hashes)).toBe(made.secretHash);
    expect(made.secretHash).not.toContain(made.token.slice(0, 20));
  });

  test("is unknown after any change of one of its characters", () => {
    const { token } = newSecret(random, hashes);
    fc.assert(
      fc.property(fc.nat(63), fc.constantFrom("A", "b", "0", "-", "_"), (place, sign) => {
        const changed = token.slice(0, place) + sign + token.slice(place + 1);
        expect(secretHashOf(changed, hashes) !== undefined).toBe(changed === token);
      }),
    );
  });

  test("is unknown in any other form, or from another key", () => {
    const { token } = newSecret(random, hashes);
    const others = ["", token.slice(1), `${token}A`, `${token}/`, `${token}?a=1`, "á".repeat(64)];
    expect(others.map((each) => secretHashOf(each, hashes))).toEqual(others.map(() => undefined));
    expect(secretHashOf(token, { ...hashes, seal: keyed("other") })).toBeUndefined();
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        expect(secretHashOf(text, hashes)).toBeUndefined();
      }),
    );
  });

  test("hashes twice for every token, whether right, wrong or of another form", () => {
    const { token } = newSecret(random, hashes);
    const workFor = (text: string): readonly number[] => {
      const done: number[] = [];
      const counted = (hash: (text: string) => string) => (secret: string) => (
        done.push(secret.length),
        hash(secret)
      );
      secretHashOf(text, { seal: counted(hashes.seal), hash: counted(hashes.hash) });
      return done;
    };
    const invented = randomBytes(48).toString("base64url");
    expect([token, invented, "", "x".repeat(5_000)].map(workFor)).toEqual(
      Array.from({ length: 4 }, () => [43, 43]),
    );
  });

  test("never reaches a log line by its address", () => {
    const { token } = newSecret(random, hashes);
    const line = `POST ${webhookAddress("https://bot.example.com", token)} failed`;
    expect(createSecretScrubber().scrub(line)).toBe(
      "POST https://bot.example.com/ganchos/[secret] failed",
    );
  });
});
