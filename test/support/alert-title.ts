/** What an alert's title says of its step, without the amount and the time that is left. */
export const stepTitle = (title: string): string =>
  title.replace(/ (?:de|of) R\$\u00a0[\d.,]+/, "").replace(/^(Novo MED|New MED): .*/, "$1");
