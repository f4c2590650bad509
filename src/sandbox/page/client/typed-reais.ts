/** An amount as a Brazilian types it: `1.234,56`, `1.500`, `49,90`, and `49.90` as well; NaN when it is none. */
export const typedReais = (text: string): number => {
  const typed = text.trim();
  const pointsAreThousands = typed.includes(",") || /^\d{1,3}(\.\d{3})+$/.test(typed);
  if (pointsAreThousands && !/^(\d+|\d{1,3}(\.\d{3})+)(,\d*)?$/.test(typed)) return NaN;
  return Number(pointsAreThousands ? typed.replaceAll(".", "").replace(",", ".") : typed);
};
