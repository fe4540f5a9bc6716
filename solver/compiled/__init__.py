"""How machine code is kept between runs."""
