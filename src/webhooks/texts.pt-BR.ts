/** `/conta webhook`. */
export const webhook = {
  made: "Seu endereço de aviso está pronto",
  madeText:
    "Copie o endereço acima e cadastre como webhook no serviço de pagamentos. A cada chamada eu olho a sua conta na hora: vendas, MEDs e saques.",
  once: "Mostrado só agora",
  onceText:
    "Não guardo o endereço. Se perder, use `/conta webhook` de novo e toque em **Trocar**, que faz outro e desliga este. Quem tem o endereço pode me fazer olhar a conta mais cedo e, com chamadas falsas, atrasar um aviso em até 15 minutos: não lê nada e não move dinheiro.",
  on: "Endereço de aviso ligado",
  onText:
    "Uma chamada para ele me faz olhar a sua conta na hora. O endereço só apareceu quando foi criado.",
  since: "Criado em",
  lastCall: "Última chamada",
  noCall: "Nenhuma ainda. Confira se o endereço está cadastrado no serviço de pagamentos.",
  trust: "Dá para confiar nas chamadas?",
  proven:
    "Sim: avisaram tudo o que houve de novo. Por isso, do que elas avisam, confiro sozinho só a cada 15 minutos; o resto e os MEDs em aberto, no ritmo de sempre.",
  notProven: "Ainda não sei. Continuo olhando sozinho no ritmo de sempre.",
  stale: "Este endereço parou de valer",
  staleText:
    "O meu banco de dados foi restaurado de um backup, e desde então não aceito o endereço de antes: ele podia já ter sido trocado. Toque em **Trocar** e cadastre o novo. Enquanto isso olho sozinho no ritmo de sempre.",
  replace: "Trocar",
  remove: "Desligar",
  askReplacement: "Trocar o endereço de aviso?",
  askReplacementText:
    "A troca vale na hora: daí em diante, só o endereço novo funciona, e ele aparece uma vez só. Até você cadastrar o novo no serviço de pagamentos, olho a sua conta sozinho, no ritmo de sempre.",
  replaceNow: "Trocar agora",
  askRemoval: "Desligar o endereço de aviso?",
  askRemovalText:
    "Não dá para ligar o mesmo endereço de novo: depois, só fazendo outro e cadastrando no serviço de pagamentos. Continuo olhando a sua conta sozinho, no ritmo de sempre.",
  removeNow: "Desligar agora",
  keep: "Manter",
  removed: "Endereço de aviso desligado",
  removedText:
    "As chamadas para ele não fazem mais nada. Continuo olhando a sua conta sozinho, no ritmo de sempre. Para ter outro: `/conta webhook`.",
};
