/* A checksum and a small filter, as many programs have them. */
unsigned crc(const char *text, int length) {
  unsigned sum = ~0u;
  for (int i = 0; i < length; i++) {
    sum ^= (unsigned char)text[i];
    for (int bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >> 1 ^ 0xedb88320u : sum >> 1;
  }
  return ~sum;
}

float loudest(const float *sample, int count) {
  float most = 0;
  for (int i = 0; i < count; i++)
    if (sample[i] > most) most = sample[i];
  return most;
}

void smooth(float *out, const float *in, int count) {
  for (int i = 1; i + 1 < count; i++) out[i] = (in[i - 1] + in[i] + in[i + 1]) / 3;
}
