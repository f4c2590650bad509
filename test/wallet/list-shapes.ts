type Row = Readonly<Record<string, string>>;

/** Answers with the same two rows, at all places where a list of either name may stand. */
export const listShapes = (
  [name, other]: readonly [string, string],
  rows: readonly [Row, Row],
): readonly (readonly [place: string, body: unknown])[] => [
  ["the root", rows],
  [name, { success: true, [name]: rows }],
  [other, { [other]: rows }],
  ["data", { success: true, data: rows }],
  ["items", { items: rows, total: 2 }],
  ["results", { results: rows, next: null }],
  [`data.${name}`, { success: true, data: { [name]: rows, page: 1 } }],
  [`${name}.items`, { [name]: { items: rows } }],
  ["two places together", { [name]: [rows[0]], data: [rows[1]] }],
  ["two places, once each", { [name]: rows, data: { items: rows.toReversed() } }],
  [`${name}, beside arrays of other things`, { [name]: rows, links: ["a"], errors: [{}] }],
];
