module dev.example.modular {
  requires dev.mooring.sandbox;
  requires dev.mooring.sandbox.junit;
}
