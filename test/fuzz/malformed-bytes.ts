import fc from "fast-check";

interface Edit {
  readonly kind: "flip" | "insert" | "delete" | "repeat" | "cut";
  readonly at: number;
  readonly bytes: Uint8Array;
}

const apply = (body: Buffer, { kind, at, bytes }: Edit): Buffer => {
  const place = at % Math.max(body.length, 1);
  const before = body.subarray(0, place);
  const after = body.subarray(place);
  if (kind === "cut") return before;
  if (kind === "insert") return Buffer.concat([before, bytes, after]);
  if (kind === "delete") return Buffer.concat([before, after.subarray(bytes.length)]);
  if (kind === "repeat") return Buffer.concat([before, after.subarray(0, 40), after]);
  return Buffer.concat([before, bytes, after.subarray(bytes.length)]);
};

/** A documented body with bytes changed, added, lost or repeated. */
export const damagedBytes = (samples: readonly string[]): fc.Arbitrary<Buffer> =>
  fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(
        fc.record({
          kind: fc.constantFrom<Edit["kind"]>("flip", "flip", "insert", "delete", "repeat", "cut"),
          at: fc.nat(2_000),
          bytes: fc.uint8Array({ minLength: 1, maxLength: 4 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    )
    .map(([sample, edits]) => edits.reduce<Buffer>(apply, Buffer.from(sample)));

const DEEP = 200_000;

/** Bodies of an entirely different kind. */
export const somethingElse = (echoes: readonly string[]): fc.Arbitrary<Buffer> =>
  fc.oneof(
    fc
      .constantFrom(
        "",
        " ",
        "null",
        "true",
        "0",
        '"success"',
        "[]",
        "{}",
        '[{"success":true}]',
        "<!doctype html><title>502 Bad Gateway</title>",
        "\n  <?xml version='1.0'?><error/>",
        "Unauthorized",
        "OK",
        "success=true",
        '{"success":true}{"success":true}',
        '{"success":true}\n<!-- cache -->',
        "data: {}\n\n",
        "\ufeff",
        "[".repeat(DEEP),
        '{"a":'.repeat(DEEP),
      )
      .map((text) => Buffer.from(text)),
    fc.constantFrom(...echoes).map((echo) => Buffer.from(echo)),
    fc.constantFrom(...echoes).map((echo) => Buffer.from(`<p>Bearer ${echo}</p>`)),
    fc
      .constantFrom(...echoes)
      .map((echo) => Buffer.from(JSON.stringify({ success: false, message: echo, error: echo }))),
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.constant(Buffer.from("1f8b0800000000000003ab562a2e4d4e4e2d2e56b22a292a4dad0500", "hex")),
    fc.json().map((text) => Buffer.from(text)),
  );
