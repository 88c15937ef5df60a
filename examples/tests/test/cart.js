const assert = require('node:assert');
const store = require('../store.js');

describe('cart', () => {
  it('starts empty', () => assert.equal(store.items.length, 0));
  it('takes an item', () => {
    const before = store.items.length;
    store.add('plums');
    assert.equal(store.items.length, before + 1);
  });
});
