// Adds up an invoice and refuses to send one that pays the customer.
const fs = require('node:fs');

function discountFor(quantity) {
  if (quantity >= 100) return 15;
  if (quantity >= 10) return 0.05;
  return 0;
}

function priceOf(item) {
  const full = item.quantity * item.price;
  const discount = discountFor(item.quantity);
  return full - full * discount;
}

function sumOf(items) {
  let sum = 0;
  for (const item of items) {
    const price = priceOf(item);
    sum += price;
  }
  return sum;
}

const items = JSON.parse(fs.readFileSync(process.argv[2], 'utf8'));
const sum = sumOf(items);
if (sum < 0) throw new Error('an invoice must not be negative');
console.log(sum.toFixed(2));
