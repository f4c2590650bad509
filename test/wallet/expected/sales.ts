const figures = (sales: number, fees: number, net: number) => ({ sales, fees, net });
const none = { ...figures(0, 0, 0), count: 0 };

/** What the documented reports stand for, in centavos. */
export const reports = {
  "sales-report": {
    day: "2025-03-14",
    userId: "1092746381520374835",
    total: figures(77_700, 4_662, 73_038),
    byOrigin: {
      api: { ...figures(59_800, 3_588, 56_212), count: 4 },
      esales: { ...figures(17_900, 1_074, 16_826), count: 2 },
    },
  },
  "sales-report.empty": {
    day: "2025-01-01",
    userId: "1092746381520374835",
    total: figures(0, 0, 0),
    byOrigin: { api: none, esales: none },
  },
};
