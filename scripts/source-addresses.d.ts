import type { Plugin } from 'esbuild';

export const sourceAddresses: Plugin;
