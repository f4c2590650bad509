import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isPlausibleApiKey, ownershipOf } from "#src/accounts/wallet-key.ts";
import { testPostResult } from "#src/reports/report-route.ts";
import { Secret } from "#src/shared/secret.ts";
import { anyText } from "../support/any-text.ts";

const OWNER = "1092746381520374835";

describe("a key belongs", () => {
  test.each([
    ["to its owner", OWNER, "owner"],
    [
      "to somebody else, though the last digit alone differs",
      "1092746381520374836",
      "somebody_else",
    ],
    ["to nobody known, when the service names users in another way", "user_8812", "unknown"],
    ["to somebody else, when there are 17 digits", "10927463815203748", "somebody_else"],
    ["to nobody known, when there are 16 digits", "1092746381520374", "unknown"],
    ["to nobody known, when there are 21 digits", "109274638152037483512", "unknown"],
  ])("%s", (_, walletUserId, ownership) => {
    expect(ownershipOf(walletUserId, OWNER)).toBe(ownership);
  });
});

describe("the form of a key", () => {
  test.each(["sk_live_0123456789abcdef", "eyJhbGciOi.J9-_~+/=", "!".repeat(12)])(
    "%s may be one",
    (key) => {
      expect(isPlausibleApiKey(new Secret(key))).toBe(true);
    },
  );

  test.each([
    "",
    "sk_live_012",
    "sk_live_0123 456789",
    "sk_live_0123\n456789",
    "sk_live_chave_é",
    "sk\u200b_live_0123456",
  ])("%j is none", (key) => {
    expect(isPlausibleApiKey(new Secret(key))).toBe(false);
  });

  test("that is taken always fits into a header", () => {
    fc.assert(
      fc.property(anyText, (key) => {
        if (!isPlausibleApiKey(new Secret(key))) return;
        expect(new Headers({ authorization: `Bearer ${key}` }).get("authorization")).toBe(
          `Bearer ${key}`,
        );
      }),
    );
  });
});

test.each([
  ["sent", "posted"],
  ["obsolete", "lost_channel"],
  ["blocked", "lost_channel"],
  ["due", "waiting"],
  ["sending", "waiting"],
  ["unknown", "unclear"],
  ["dead", "lost_channel"],
  [undefined, "unclear"],
] as const)("a test whose delivery is %s counts as %s", (state, result) => {
  expect(testPostResult(state)).toBe(result);
});
