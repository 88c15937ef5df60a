const store = require('../store.js');

describe('account', () => {
  it('has a name', () => {});
  it('restores the last session', () => {
    for (const item of ['apples', 'pears']) store.add(item);
  });
  it('can be closed', () => {});
});
