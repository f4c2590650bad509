import { parseArgs } from "node:util";
import { SECOND } from "../shared/time.ts";
import { checkDemo } from "./demo-check.ts";
import { type Demo, endWithNpm, startDemos } from "./start-demo.ts";
import { ANA, BRUNO } from "./world.ts";

const PORT = 4010;
const IMPATIENT_MS = SECOND;

const welcome = (url: string): string => `
Balcão está no ar, com um Discord e uma carteira de mentira. Nada sai desta máquina.

  Abra  ${url}

Para experimentar:
  1. Como Ana, digite /conta conectar e cole a chave ${ANA.apiKey}
     (a de Bruno, que também vende, é ${BRUNO.apiKey})
  2. Digite /vendas e leia as vendas de hoje; com data: ontem, as de ontem.
  3. Como Carla, que administra a loja, digite /config relatorio e escolha o canal #vendas.
  4. Como Ana, aceite o relatório na mensagem direta que chega.
  5. Adiante o relógio até as 21:05 e veja o relatório chegar ao canal.
  6. Como Ana, digite /saque e confirme; em Carteira, veja o que o serviço fez e faça algo dar errado.
  7. Como Carla, digite /config alertas canal:#avisos cargo:@Equipe; como Ana, aceite o canal em /conta ver.
  8. Em Carteira, abra um MED contra Ana e adiante o relógio: o alerta e os lembretes chegam a #avisos.
  9. Sob o alerta, prepare a defesa; em Carteira, responda e decida o MED. /meds mostra todos.

Ctrl+C encerra tudo.
`;

const serve = async (): Promise<void> => {
  const demo = startDemos(PORT, {
    onBotEnd: () =>
      console.error("O bot parou. Na página, Religar o traz de volta, com os dados dele."),
  });
  const leaveOnSignal = leaveOnce(demo);
  process.on("SIGINT", leaveOnSignal);
  process.on("SIGTERM", leaveOnSignal);
  console.log(welcome((await demo()).page.url));
};

let leavingSince: number | undefined;
const leaveOnce = (demo: () => Promise<Demo>) => (): void => {
  if (leavingSince !== undefined) {
    // npm repeats the signal that the terminal has already sent. A later signal comes from an impatient person.
    if (performance.now() - leavingSince > IMPATIENT_MS) process.exit(1);
    return;
  }
  leavingSince = performance.now();
  console.log("\nEncerrando…");
  demo()
    .then(({ stop }) => stop())
    .then(
      () => process.exit(0),
      () => process.exit(1),
    );
};

const { values } = parseArgs({ options: { check: { type: "boolean", default: false } } });
endWithNpm();
if (values.check) process.exit(await checkDemo());
await serve();
