import fc from "fast-check";
import { describe, expect, test } from "vitest";

import { requestIdOf } from "#src/wallet/request-id.ts";

const KEY = "sk_live_9f+/a77c=20b";

describe("the request id of an answer", () => {
  test.each(["req_123", "0b5c9d1e-5c1f-4c55-8a2e-6a6a5d0a7c11", "1-67e-abc=", "a"])(
    "%s is kept",
    (id) => {
      expect(requestIdOf(id, KEY)).toBe(id);
    },
  );

  test.each([undefined, "", "a b", "<b>", "[a](http://x)", "@everyone", "é", "x".repeat(129)])(
    "%j counts as missing",
    (id) => {
      expect(requestIdOf(id, KEY)).toBeUndefined();
    },
  );

  test("counts as missing when it repeats the API key, in whatever encoding", () => {
    const encode = fc.constantFrom(
      (key: string) => key,
      encodeURIComponent,
      (key: string) => Buffer.from(key).toString("base64"),
      (key: string) => Buffer.from(key).toString("base64url"),
      (key: string) => Buffer.from(key).toString("hex"),
      (key: string) => Buffer.from(key).toString("hex").toUpperCase(),
    );
    const key = fc.stringMatching(/^[\w.+/=-]{8,30}$/);
    const around = fc.stringMatching(/^[a-z0-9]{0,8}$/);

    fc.assert(
      fc.property(key, encode, around, around, (secret, encodeWith, before, after) => {
        expect(requestIdOf(before + encodeWith(secret) + after, secret)).toBeUndefined();
      }),
    );
  });
});
