// A shop that keeps a cart in a file. Two things change it: a click, and a price that comes from the server a little later.
const fs = require('node:fs/promises');
const file = 'cart.json';

async function change(edit) {
  const cart = JSON.parse(await fs.readFile(file, 'utf8'));
  edit(cart);
  await fs.writeFile(file, JSON.stringify(cart));
}

async function main() {
  const clicked = change(cart => {
    cart.items += 1;
  });
  const priced = new Promise(resolve => setTimeout(resolve, 10)).then(() =>
    change(cart => {
      cart.price = 12;
    }),
  );
  await Promise.all([clicked, priced]);
  const { items, price } = JSON.parse(await fs.readFile(file, 'utf8'));
  if (items !== 2 || price !== 12) throw new Error(`The cart is wrong: ${items} items for ${price}`);
}

main();
