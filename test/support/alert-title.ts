/** An alert's title, without the amount and the remaining time. */
export const stepTitle = (title: string): string =>
  title.replace(/ (?:de|of) R\$\u00a0[\d.,]+/, "").replace(/^(Novo MED|New MED): .*/, "$1");
