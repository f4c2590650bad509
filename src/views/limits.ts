/** Discord's limits on what is shown, in characters or in pieces. Source: Discord's reference of messages and components. */
export const limits = {
  content: 2000,
  /** Ours, not Discord's: about what a phone shows of a message while it is locked. */
  sentence: 150,
  embeds: 10,
  /** Over all embeds of one message. */
  embedsTotal: 6000,
  title: 256,
  description: 4096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1024,
  footer: 2048,
  rows: 5,
  buttonsPerRow: 5,
  buttonLabel: 80,
  selectOptions: 25,
  optionText: 100,
  placeholder: 150,
  modalTitle: 45,
  modalLabel: 45,
  modalFields: 5,
  modalPlaceholder: 100,
  choiceName: 100,
} as const;

const ELLIPSIS = "…";

const endsInHalfPair = (text: string): boolean => /[\ud800-\udbff]$/.test(text);

/**
 * At most `max` UTF-16 units, so at most `max` of whatever Discord counts; an ellipsis stands for the rest. Neither a
 * character nor a code span is cut in two: half a span would set free what stands in it.
 */
export const cut = (text: string, max: number): string => {
  if (text.length <= max) return text;
  if (max < ELLIPSIS.length) return "";
  const head = text.slice(0, max - ELLIPSIS.length);
  const whole = endsInHalfPair(head) ? head.slice(0, -1) : head;
  const ticks = whole.split("`").length - 1;
  return (ticks % 2 === 0 ? whole : whole.slice(0, whole.lastIndexOf("`"))) + ELLIPSIS;
};
