// Totals of invoices by month, and a check that the written totals add up to the whole.
import { readFileSync } from 'node:fs';

const invoices = readFileSync(process.argv[2], 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map(line => line.split(','))
  .map(([number, paid, amount]) => ({ number, paid: new Date(paid), amount: Number(amount) }));

const months = new Map();
for (const { paid, amount } of invoices) {
  const month = `${paid.getFullYear()}-${String(paid.getMonth() + 1).padStart(2, '0')}`;
  months.set(month, (months.get(month) ?? 0) + amount);
}

const lines = [...months].map(([month, total]) => `${month}  ${total.toLocaleString()}`);
console.log(lines.join('\n'));

const written = lines.map(line => Number(line.split('  ')[1].replaceAll(',', '')));
const sum = written.reduce((a, b) => a + b, 0);
const expected = invoices.reduce((a, { amount }) => a + amount, 0);
if (sum !== expected) throw new Error(`The months do not add up to the whole: ${sum} is not ${expected}.`);
