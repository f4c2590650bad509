import fc from "fast-check";

type JsonObject = Record<string, unknown>;

interface Place {
  readonly holder: JsonObject;
  readonly name: string;
}

/** Marks raw JSON text: numbers and words that JSON.stringify would never write. */
const RAW = "\u0001raw:";

const rawJson = fc.constantFrom(
  "1e999",
  "-1e999",
  "1e-999",
  "123456789012345678901234567890",
  "-0",
  "0.1",
  "10.005",
  "NaN",
  "Infinity",
  "undefined",
  "0x10",
  "01",
  '{"a":1,"a":2}',
  "[1,]",
  "'single'",
);

const texts = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "null",
    "true",
    "0",
    "R$ 10,00",
    "10.00",
    "31/02/2025",
    "2025-02-30T00:00:00.000Z",
    "2025-03-14",
    "2025-03-14T25:00:00Z",
    "+275760-09-13T00:00:00.001Z",
    "novo_estado",
    "@everyone",
    "[clique](https://example.invalid)",
    "\u202e\u200b\u0000\uffff\ud800",
  ),
  fc.string(),
  fc.string({ minLength: 300, maxLength: 600 }),
);

const replacement = (echoes: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom<unknown>(null, true, false, [], {}, [[]], 0, -1, 1.005, 1e15, 2 ** 53, -250.5),
    fc.double(),
    texts,
    rawJson.map((text) => RAW + text),
    fc.constantFrom(...echoes),
    fc.jsonValue({ maxDepth: 2 }),
  );

/** Every field of a JSON object, including nested ones, in a fixed order. */
const placesOf = (holder: JsonObject): readonly Place[] =>
  Object.keys(holder).flatMap((name) => {
    const value = holder[name];
    const inner = typeof value === "object" && value !== null ? placesOf(value as JsonObject) : [];
    return [{ holder, name }, ...inner];
  });

const put = (holder: JsonObject, name: string, value: unknown): void => {
  // JSON arrays have no named fields, and a random name may be `length`.
  if (Array.isArray(holder) && !Object.keys(holder).includes(name)) return void holder.push(value);
  Object.defineProperty(holder, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
};

interface Mutation {
  readonly kind: "replace" | "remove" | "rename" | "add" | "wrap" | "swap";
  readonly at: number;
  readonly name: string;
  readonly value: unknown;
}

const mutate = (root: JsonObject, { kind, at, name, ...mutation }: Mutation): void => {
  // A copy, because an object inserted twice and then changed could contain itself.
  const value = structuredClone(mutation.value);
  const places = placesOf(root);
  const place = places[at % Math.max(places.length, 1)];
  if (place === undefined) return;
  const { holder } = place;
  const old = holder[place.name];
  if (kind === "remove" || kind === "rename") delete holder[place.name];
  if (kind === "rename") put(holder, name, old);
  if (kind === "replace") put(holder, place.name, value);
  if (kind === "add") put(holder, name, value);
  if (kind === "wrap") put(holder, place.name, [old]);
  if (kind === "swap") {
    const other = places[(at * 7) % places.length]?.name ?? "";
    put(holder, place.name, Object.hasOwn(holder, other) ? structuredClone(holder[other]) : null);
  }
};

const write = (value: unknown): string =>
  JSON.stringify(value).replaceAll(
    /"\\u0001raw:((?:[^"\\]|\\.)*)"/g,
    (_all, text: string) => JSON.parse(`"${text}"`) as string,
  );

/** Documented bodies with one to four wrong fields. */
export const structurallyWrong = (
  samples: readonly string[],
  echoes: readonly string[],
): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(
        fc.record({
          kind: fc.constantFrom<Mutation["kind"]>(
            "replace",
            "replace",
            "remove",
            "rename",
            "add",
            "wrap",
            "swap",
          ),
          at: fc.nat(200),
          name: fc.oneof(
            fc.constantFrom("success", "message", "error", "__proto__", "constructor", "toString"),
            fc.string(),
            fc.constantFrom(...echoes),
          ),
          value: replacement(echoes),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    )
    .map(([sample, mutations]) => {
      const root = JSON.parse(sample) as JsonObject;
      for (const mutation of mutations) mutate(root, mutation);
      return write(root);
    });

/** A documented body in which one field occurs twice, first or last with another value. */
export const duplicatedField = (samples: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom(...samples), fc.nat(200), fc.boolean(), rawJson)
    .map(([sample, at, before, value]) => {
      const fields = [...sample.matchAll(/("\w+"):/g)];
      const field = fields[at % fields.length];
      if (field === undefined) return sample;
      const end = field.index + field[0].length;
      if (before)
        return `${sample.slice(0, field.index)}${field[1]}:${value},${sample.slice(field.index)}`;
      return `${sample.slice(0, end)}${value},${sample.slice(field.index)}`;
    });
